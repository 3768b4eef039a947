package dev.carillon.plan;

import dev.carillon.model.Definition;
import dev.carillon.model.Pause;
import dev.carillon.model.Schedule;
import dev.carillon.model.UpcomingSlot;
import dev.carillon.policy.Pacing;
import dev.carillon.time.Fire;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Tells which slots are to come. Pure. */
public final class Preview {
  private Preview() {}

  /**
   * Return at most {@code count} slots of a definition that is stored at {@code now}. Of an
   * interval that is measured from the end of a run only the first, since the others are not known
   * yet.
   */
  public static List<UpcomingSlot> of(String key, Definition definition, Instant now, int count) {
    return slots(
        key, definition, DefinitionCheck.floor(definition, now), left(definition, 0, count));
  }

  /**
   * Return the slots at which a schedule will fire that is as far as {@code progress} says: what is
   * planned and not due yet, and what is to be planned.
   */
  public static List<UpcomingSlot> of(
      Schedule schedule, ScheduleProgress progress, Instant now, int count) {
    Definition definition = schedule.definition();
    long left = left(definition, progress.runs(), count);
    return switch (schedule.status()) {
      case RETIRED -> List.of();
      case PAUSED ->
          schedule
              .pause()
              .flatMap(Pause::until)
              .map(until -> slots(schedule.key(), definition, until, left))
              .orElse(List.of());
      case ACTIVE ->
          Stream.concat(
                  progress.ahead().stream(),
                  coming(schedule, next(definition, progress, now)).limit(left))
              .distinct() // planning that was taken back meets its own runs again
              .sorted()
              .limit(most(definition, count))
              .map(slot -> upcoming(schedule.key(), definition, slot))
              .toList();
    };
  }

  /* Slots from the next one on, without those of a coming pause. */
  private static Stream<Instant> coming(Schedule schedule, Optional<Instant> next) {
    Definition definition = schedule.definition();
    Optional<Instant> from = schedule.plannedPause().flatMap(Pause::from);
    if (from.isEmpty()) {
      return slots(definition, next);
    }
    Stream<Instant> before = slots(definition, next).takeWhile(slot -> slot.isBefore(from.get()));
    Optional<Instant> again =
        schedule
            .plannedPause()
            .flatMap(Pause::until)
            .filter(end -> next.isPresent() || definition.pacing() != Pacing.FINISH)
            .flatMap(end -> Planner.next(definition, end));
    return Stream.concat(before, slots(definition, again));
  }

  /* What is overdue is up to the planner. */
  private static Optional<Instant> next(
      Definition definition, ScheduleProgress progress, Instant now) {
    return progress
        .next()
        .flatMap(
            slot ->
                slot.isAfter(now) || definition.pacing() == Pacing.FINISH
                    ? Optional.of(slot)
                    : Planner.next(definition, now));
  }

  private static long left(Definition definition, long runs, int count) {
    long most = definition.maxRuns();
    return most == 0 ? count : Math.max(0, Math.min(count, most - runs));
  }

  private static List<UpcomingSlot> slots(
      String key, Definition definition, Instant after, long count) {
    return slots(definition, Planner.next(definition, after))
        .limit(most(definition, count))
        .map(slot -> upcoming(key, definition, slot))
        .toList();
  }

  private static Stream<Instant> slots(Definition definition, Optional<Instant> first) {
    return Stream.iterate(
            first,
            Optional::isPresent,
            slot -> slot.flatMap(last -> Planner.next(definition, last)))
        .map(Optional::orElseThrow);
  }

  /* Of those that wait for the end of a run, only the next is known. */
  private static long most(Definition definition, long count) {
    return definition.pacing() == Pacing.FINISH ? Math.min(1, count) : count;
  }

  private static UpcomingSlot upcoming(String key, Definition definition, Instant slot) {
    Fire fire = Fire.of(definition.timing(), ZoneOffset.UTC, slot);
    Instant dueAt = definition.jitter().dueAt(definition.timing(), key, slot);
    return new UpcomingSlot(
        slot,
        definition.pacing() == Pacing.FINISH ? Instants.later(slot, dueAt) : dueAt,
        fire.local(),
        fire.note());
  }
}
