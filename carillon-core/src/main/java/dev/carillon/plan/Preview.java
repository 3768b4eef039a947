package dev.carillon.plan;

import dev.carillon.model.Definition;
import dev.carillon.model.Pause;
import dev.carillon.model.Schedule;
import dev.carillon.model.Upcoming;
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
  public static List<Upcoming> of(String key, Definition definition, Instant now, int count) {
    return slots(key, definition, Fitness.floor(definition, now), left(definition, 0, count));
  }

  /** Return the slots of a schedule that is as far as {@code outlook} says. */
  public static List<Upcoming> of(Schedule schedule, Outlook outlook, Instant now, int count) {
    Definition definition = schedule.definition();
    long left = left(definition, outlook.runs(), count);
    return switch (schedule.status()) {
      case RETIRED -> List.of();
      case PAUSED ->
          schedule
              .pause()
              .flatMap(Pause::until)
              .map(until -> slots(schedule.key(), definition, until, left))
              .orElse(List.of());
      case ACTIVE ->
          definition.pacing() == Pacing.FINISH
              ? next(definition, outlook)
                  .map(slot -> List.of(upcoming(schedule.key(), definition, slot)))
                  .orElse(List.of())
              : slots(schedule.key(), definition, now, left);
    };
  }

  private static Optional<Instant> next(Definition definition, Outlook outlook) {
    return outlook
        .firstAhead()
        .or(
            () ->
                outlook.open()
                    ? Planner.next(definition, outlook.plannedThrough())
                    : Optional.empty());
  }

  private static long left(Definition definition, long runs, int count) {
    long most = definition.maxRuns();
    return most == 0 ? count : Math.max(0, Math.min(count, most - runs));
  }

  private static List<Upcoming> slots(
      String key, Definition definition, Instant after, long count) {
    return Stream.iterate(
            Planner.next(definition, after),
            Optional::isPresent,
            slot -> slot.flatMap(last -> Planner.next(definition, last)))
        .limit(definition.pacing() == Pacing.FINISH ? Math.min(1, count) : count)
        .map(slot -> upcoming(key, definition, slot.orElseThrow()))
        .toList();
  }

  private static Upcoming upcoming(String key, Definition definition, Instant slot) {
    Fire fire = Fire.of(definition.timing(), ZoneOffset.UTC, slot);
    Instant dueAt = definition.jitter().dueAt(definition.timing(), key, slot);
    return new Upcoming(
        slot,
        definition.pacing() == Pacing.FINISH ? Instants.later(slot, dueAt) : dueAt,
        fire.local(),
        fire.note());
  }
}
