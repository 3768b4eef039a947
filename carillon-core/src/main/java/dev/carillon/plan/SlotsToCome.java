package dev.carillon.plan;

import dev.carillon.time.DueRule;
import dev.carillon.time.Timing;
import dev.carillon.time.business.CalendarTiming;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Divides slots into those that have come and those to come. A slot has come when the time that the
 * timing means by it has: the slot itself, or, where a calendar says when the third business day
 * is, that day. In microseconds, as the database has no less. Pure.
 */
public final class SlotsToCome {
  private SlotsToCome() {}

  /** Return the instant up to which the slots of {@code timing} have come by {@code now}. */
  public static Instant after(Timing timing, DueRule rule, Instant now) {
    return timing instanceof CalendarTiming
        ? ahead(timing, rule, now).or(() -> behind(timing, rule, now)).orElse(now)
        : now;
  }

  /** Return the first instant whose slots have not come before {@code instant}. */
  public static Instant from(Timing timing, DueRule rule, Instant instant) {
    return timing instanceof CalendarTiming
        ? after(timing, rule, instant.minus(1, ChronoUnit.MICROS)).plus(1, ChronoUnit.MICROS)
        : instant;
  }

  /* The last slot after `now` that has come. */
  private static Optional<Instant> ahead(Timing timing, DueRule rule, Instant now) {
    Optional<Instant> last = Optional.empty();
    Duration reach = rule.maxAdvance();
    for (Instant slot : timing.between(now, now.plus(reach))) {
      last = rule.named(slot).isAfter(now) ? last : Optional.of(slot);
    }
    return last;
  }

  /* The instant before the first slot that has not come although `now` is after it. */
  private static Optional<Instant> behind(Timing timing, DueRule rule, Instant now) {
    for (Instant slot : timing.between(now.minus(rule.maxDelay()), now)) {
      if (rule.named(slot).isAfter(now)) {
        return Optional.of(slot.minus(1, ChronoUnit.MICROS));
      }
    }
    return Optional.empty();
  }
}
