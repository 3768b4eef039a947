package dev.carillon.store.schedule;

import dev.carillon.model.Definition;
import dev.carillon.model.Pause;
import dev.carillon.model.Schedule;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.policy.Pacing;
import java.time.Instant;
import java.util.Optional;

/**
 * A schedule whose row and cursor are locked for a change.
 *
 * @param decidedAt when its last decision about slots that had come was made
 */
record LockedSchedule(
    Schedule schedule, Instant plannedThrough, long plannedRuns, Optional<Instant> decidedAt) {
  long id() {
    return schedule.id();
  }

  String key() {
    return schedule.key();
  }

  Definition definition() {
    return schedule.definition();
  }

  boolean is(ScheduleStatus status) {
    return schedule.status() == status;
  }

  boolean isReadable() {
    return !UnreadableDefinition.is(definition());
  }

  boolean hasOtherVersion(Optional<Integer> expected) {
    return expected.filter(version -> version != schedule.version()).isPresent();
  }

  boolean hasAllRuns() {
    long most = definition().maxRuns();
    return most > 0 && plannedRuns >= most;
  }

  Optional<Instant> nextSlot() {
    return schedule.nextSlot();
  }

  boolean pausesLater() {
    return schedule.plannedPause().isPresent();
  }

  boolean pausesBy(Instant now) {
    return schedule
        .plannedPause()
        .flatMap(Pause::from)
        .filter(from -> !from.isAfter(now))
        .isPresent();
  }

  LockedSchedule without(int runs) {
    return new LockedSchedule(schedule, plannedThrough, Math.max(0, plannedRuns - runs), decidedAt);
  }

  LockedSchedule decidedAt(Optional<Instant> at) {
    return new LockedSchedule(schedule, plannedThrough, plannedRuns, at);
  }

  /** Tell whether slots up to {@code now} may still be without a run and a decision. */
  boolean mayHaveUnplanned(Instant now) {
    long most = definition().maxRuns();
    return definition().pacing() == Pacing.SLOT
        && (most == 0 || plannedRuns < most)
        && switch (schedule.status()) {
          case ACTIVE -> schedule.nextSlot().map(slot -> !slot.isAfter(now)).orElse(most > 0);
          case PAUSED -> true;
          case RETIRED -> false;
        };
  }
}
