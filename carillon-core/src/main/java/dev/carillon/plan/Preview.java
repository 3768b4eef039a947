package dev.carillon.plan;

import dev.carillon.model.Definition;
import dev.carillon.model.Pause;
import dev.carillon.model.Schedule;
import dev.carillon.model.UpcomingSlot;
import dev.carillon.policy.Pacing;
import dev.carillon.time.DueRule;
import dev.carillon.time.Fire;
import dev.carillon.time.business.CalendarTiming;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Tells which slots are to come. Pure. */
public final class Preview {
  private static final int MAX_LOOKED_AT = 50_000;

  private Preview() {}

  /**
   * Return at most {@code count} slots of a definition that is stored at {@code now}. Of an
   * interval that is measured from the end of a run only the first, since the others are not known
   * yet.
   */
  public static List<UpcomingSlot> of(
      String key, Definition definition, DueRule rule, Instant now, int count) {
    var pipeline = new DuePipeline(key, definition, rule);
    return slots(
        pipeline,
        definition,
        DefinitionCheck.floor(definition, rule, now),
        left(definition, 0, count));
  }

  /**
   * Return the slots at which a schedule will fire that is as far as {@code progress} says: what is
   * planned and not due yet, and what is to be planned.
   */
  public static List<UpcomingSlot> of(
      Schedule schedule, ScheduleProgress progress, DueRule rule, Instant now, int count) {
    Definition definition = schedule.definition();
    var pipeline = new DuePipeline(schedule.key(), definition, rule);
    long left = left(definition, progress.runs(), count);
    return switch (schedule.status()) {
      case RETIRED -> List.of();
      case PAUSED ->
          schedule
              .pause()
              .flatMap(Pause::until)
              .map(until -> SlotsToCome.after(definition.timing(), rule, until))
              .map(until -> slots(pipeline, definition, until, left))
              .orElse(List.of());
      case ACTIVE ->
          Stream.concat(
                  progress.ahead().stream().map(pipeline::judge),
                  running(
                          pipeline,
                          progress.ahead(),
                          coming(schedule, rule, next(definition, rule, progress, now)))
                      .limit(left))
              .distinct() // planning that was taken back meets its own runs again
              .sorted(Comparator.comparing(SlotDue::slot))
              .limit(most(definition, count))
              .map(slot -> upcoming(definition, slot))
              .toList();
    };
  }

  /* Slots from the next one on, without those of a coming pause. */
  private static Stream<Instant> coming(Schedule schedule, DueRule rule, Optional<Instant> next) {
    Definition definition = schedule.definition();
    Optional<Instant> from =
        schedule
            .plannedPause()
            .flatMap(Pause::from)
            .map(begin -> SlotsToCome.from(definition.timing(), rule, begin));
    if (from.isEmpty()) {
      return slots(definition, next);
    }
    Stream<Instant> before = slots(definition, next).takeWhile(slot -> slot.isBefore(from.get()));
    Optional<Instant> again =
        schedule
            .plannedPause()
            .flatMap(Pause::until)
            .filter(end -> next.isPresent() || definition.pacing() != Pacing.FINISH)
            .map(end -> SlotsToCome.after(definition.timing(), rule, end))
            .flatMap(end -> Planner.next(definition, end));
    return Stream.concat(before, slots(definition, again));
  }

  /* What is overdue is up to the planner. */
  private static Optional<Instant> next(
      Definition definition, DueRule rule, ScheduleProgress progress, Instant now) {
    Instant come = SlotsToCome.after(definition.timing(), rule, now);
    return progress
        .next()
        .flatMap(
            slot ->
                slot.isAfter(come) || definition.pacing() == Pacing.FINISH
                    ? Optional.of(slot)
                    : Planner.next(definition, come));
  }

  private static long left(Definition definition, long runs, int count) {
    long most = definition.maxRuns();
    return most == 0 ? count : Math.max(0, Math.min(count, most - runs));
  }

  private static List<UpcomingSlot> slots(
      DuePipeline pipeline, Definition definition, Instant after, long count) {
    return running(pipeline, List.of(), slots(definition, Planner.next(definition, after)))
        .limit(most(definition, count))
        .map(slot -> upcoming(definition, slot))
        .toList();
  }

  /* Of slots that are due at the same time only the first, or the one that has a run. */
  private static Stream<SlotDue> running(
      DuePipeline pipeline, List<Instant> ahead, Stream<Instant> slots) {
    if (pipeline.isPlain()) {
      return slots.map(pipeline::judge);
    }
    var dues = new HashMap<Instant, Instant>();
    ahead.stream().map(pipeline::judge).forEach(one -> dues.put(one.due(), one.slot()));
    return slots
        .limit(MAX_LOOKED_AT)
        .map(pipeline::judge)
        .filter(SlotDue::runs)
        .filter(
            one ->
                Optional.ofNullable(dues.putIfAbsent(one.due(), one.slot()))
                    .filter(first -> !first.equals(one.slot()))
                    .isEmpty());
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

  private static UpcomingSlot upcoming(Definition definition, SlotDue slot) {
    boolean byCalendar = definition.timing() instanceof CalendarTiming;
    Fire fire = Fire.of(definition.timing(), ZoneOffset.UTC, byCalendar ? slot.due() : slot.slot());
    return new UpcomingSlot(
        slot.slot(),
        definition.pacing() == Pacing.FINISH
            ? Instants.later(slot.slot(), slot.dueAt())
            : slot.dueAt(),
        fire.local(),
        fire.note());
  }
}
