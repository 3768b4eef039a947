package dev.carillon.plan;

import dev.carillon.model.Definition;
import dev.carillon.time.InvalidValueException;
import dev.carillon.time.Once;
import dev.carillon.time.Window;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Decides whether a definition has anything to fire, and from when its slots count. Pure. */
public final class DefinitionCheck {
  private DefinitionCheck() {}

  /**
   * Return the instant after which slots of a definition made at {@code now} count: {@code now},
   * or, for a single slot that is merely late, the instant before it.
   */
  public static Instant floor(Definition definition, Instant now) {
    if (definition.timing() instanceof Once once
        && !once.at().isAfter(now)
        && !isMissed(definition, once, now)) {
      return once.at().minus(1, ChronoUnit.MICROS);
    }
    return now;
  }

  /**
   * Refuse a definition that would never fire.
   *
   * @param plannedThrough slots up to here do not count
   * @throws IllegalArgumentException naming what is in the way, and the cure
   */
  public static void check(Definition definition, String key, Instant now, Instant plannedThrough) {
    refusal(definition, now, plannedThrough)
        .ifPresent(
            problem -> {
              boolean over = definition.window().until().isBefore(now);
              throw new InvalidValueException(
                  over ? "window" : "timing", "schedule '" + key + "' " + problem);
            });
  }

  private static Optional<String> refusal(
      Definition definition, Instant now, Instant plannedThrough) {
    Window window = definition.window();
    if (window.until().isBefore(now)) {
      return Optional.of(
          "would never fire: its window ended at "
              + window.until()
              + "; let it end in the future, or leave the end out");
    }
    if (definition.timing() instanceof Once once) {
      return refusal(definition, once, now, plannedThrough);
    }
    if (Planner.next(definition, plannedThrough).isPresent()) {
      return Optional.empty();
    }
    return Optional.of(
        definition.timing().next(plannedThrough).isEmpty()
            ? "would never fire: '%s' names no time after %s; choose a timing that does"
                .formatted(definition.timing(), plannedThrough)
            : "would never fire: '%s' names no time in its window%s; widen the window or change the timing"
                .formatted(definition.timing(), described(window)));
  }

  private static Optional<String> refusal(
      Definition definition, Once once, Instant now, Instant plannedThrough) {
    if (!definition.window().contains(once.at())) {
      return Optional.of(
          "would never fire: its time %s is outside its window%s; change one of them"
              .formatted(once.at(), described(definition.window())));
    }
    if (isMissed(definition, once, now)) {
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

  private static boolean isMissed(Definition definition, Once once, Instant now) {
    return once.at().isBefore(now.minus(definition.catchUp().grace()));
  }

  private static String described(Window window) {
    return (window.from().equals(Instant.MIN) ? "" : " from " + window.from())
        + (window.until().equals(Instant.MAX) ? "" : " until " + window.until());
  }
}
