package dev.carillon.plan;

import dev.carillon.model.Definition;
import dev.carillon.model.DroppedSlots;
import dev.carillon.time.Due;
import dev.carillon.time.DueRule;
import dev.carillon.time.InvalidValueException;
import dev.carillon.time.Once;
import dev.carillon.time.Window;
import dev.carillon.time.business.BusinessDaysAfter;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Decides whether a definition has anything to fire, and from when its slots count. Pure. */
public final class DefinitionCheck {
  private static final Duration FAR = Duration.ofDays(731);

  /* Those of two years, if there is one each hour. */
  private static final int MOST = 20_000;

  private DefinitionCheck() {}

  /**
   * Return the instant after which slots of a definition made at {@code now} count: {@code now},
   * or, for a single slot that is merely late, the instant before it.
   */
  public static Instant floor(Definition definition, DueRule rule, Instant now) {
    if (definition.timing() instanceof Once once
        && !once.at().isAfter(now)
        && !isMissed(definition, rule, once, now)) {
      return once.at().minus(1, ChronoUnit.MICROS);
    }
    return SlotsToCome.after(definition.timing(), rule, now);
  }

  /**
   * Refuse a definition that would never fire.
   *
   * @param plannedThrough slots up to here do not count
   * @throws IllegalArgumentException naming what is in the way, and the cure
   */
  public static void check(
      Definition definition, DueRule rule, String key, Instant now, Instant plannedThrough) {
    refusal(definition, rule, now, plannedThrough)
        .or(() -> alwaysDropped(definition, rule, key, plannedThrough))
        .ifPresent(
            problem -> {
              boolean over = definition.window().until().isBefore(now);
              throw new InvalidValueException(
                  over ? "window" : "timing", "schedule '" + key + "' " + problem);
            });
  }

  private static Optional<String> refusal(
      Definition definition, DueRule rule, Instant now, Instant plannedThrough) {
    Window window = definition.window();
    if (window.until().isBefore(now)) {
      return Optional.of(
          "would never fire: its window ended at "
              + window.until()
              + "; let it end in the future, or leave the end out");
    }
    if (definition.timing() instanceof Once once) {
      return refusal(definition, rule, once, now, plannedThrough);
    }
    if (Planner.next(definition, plannedThrough).isPresent()) {
      return Optional.empty();
    }
    if (definition.timing() instanceof BusinessDaysAfter once
        && rule.due(once.slot()) instanceof Due.At at) {
      return Optional.of(
          "would never fire: its time, %s, was %s; use a later date, or a run without a schedule"
              .formatted(once.named(once.slot()), at.at()));
    }
    return Optional.of(
        definition.timing().next(plannedThrough).isEmpty()
            ? "would never fire: '%s' names no time after %s; choose a timing that does"
                .formatted(definition.timing(), plannedThrough)
            : "would never fire: '%s' names no time in its window%s; widen the window or change the timing"
                .formatted(definition.timing(), described(window)));
  }

  private static Optional<String> refusal(
      Definition definition, DueRule rule, Once once, Instant now, Instant plannedThrough) {
    if (!definition.window().contains(once.at())) {
      return Optional.of(
          "would never fire: its time %s is outside its window%s; change one of them"
              .formatted(once.at(), described(definition.window())));
    }
    if (isMissed(definition, rule, once, now)) {
      return Optional.of(
          "would never fire: its time "
              + once.at()
              + " has passed; use a time in the future, or a run without a schedule");
    }
    return once.at().isAfter(plannedThrough)
        ? Optional.empty()
        : Optional.of(
            "would never fire: its time %s is not after its last slot %s; use a later time, or a run without a schedule"
                .formatted(once.at(), plannedThrough));
  }

  private static boolean isMissed(Definition definition, DueRule rule, Once once, Instant now) {
    Instant due = rule.due(once.at()) instanceof Due.At at ? at.at() : once.at();
    return due.isBefore(now.minus(definition.catchUp().grace()));
  }

  /**
   * Return why, by {@code rule}, no slot of a definition after {@code now} becomes a run, and the
   * cure; empty if one does, or if its timing has none.
   */
  public static Optional<String> neverFires(
      Definition definition, DueRule rule, String key, Instant now) {
    return alwaysDropped(definition, rule, key, floor(definition, rule, now));
  }

  /* Slots are looked at for two years, as a calendar may leave out a day of each year. */
  private static Optional<String> alwaysDropped(
      Definition definition, DueRule rule, String key, Instant plannedThrough) {
    if (rule == DueRule.NONE) {
      return Optional.empty();
    }
    var pipeline = new DuePipeline(key, definition, rule);
    Optional<Instant> next = Planner.next(definition, plannedThrough);
    Optional<SlotDue> first = next.map(pipeline::judge);
    Instant far = plannedThrough.plus(FAR);
    for (int seen = 0; seen < MOST && next.isPresent(); seen++) {
      if (next.get().isAfter(far) || pipeline.judge(next.get()).runs()) {
        return next.filter(slot -> !slot.isAfter(far)).isPresent()
            ? Optional.empty()
            : first.flatMap(slot -> dropped(slot, "two years"));
      }
      next = Planner.next(definition, next.get());
    }
    return next.isPresent()
        ? Optional.empty()
        : first.flatMap(slot -> dropped(slot, "all its slots"));
  }

  private static Optional<String> dropped(SlotDue first, String howLong) {
    return first
        .obstacle()
        .map(
            obstacle ->
                "would never fire: %s '%s' leaves out its slot %s (%s), and so on for %s; change the timing, %s"
                    .formatted(
                        word(obstacle.reason()),
                        obstacle.by().orElse(""),
                        first.slot(),
                        obstacle.because(),
                        howLong,
                        obstacle.reason() == DroppedSlots.Reason.OUTSIDE_WINDOW
                            ? "the window, or the calendar"
                            : "or the " + word(obstacle.reason())));
  }

  private static String word(DroppedSlots.Reason reason) {
    return reason == DroppedSlots.Reason.QUIET_HOURS ? "quiet hours" : "calendar";
  }

  private static String described(Window window) {
    return (window.from().equals(Instant.MIN) ? "" : " from " + window.from())
        + (window.until().equals(Instant.MAX) ? "" : " until " + window.until());
  }
}
