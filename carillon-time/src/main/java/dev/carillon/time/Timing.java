package dev.carillon.time;

import dev.carillon.time.business.BusinessTiming;
import dev.carillon.time.business.CalendarTiming;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/**
 * When a schedule fires: a rule that yields slots without reading a clock.
 *
 * <p>Ranges are open at the start and closed at the end, so that a range split anywhere yields each
 * slot once: {@code (a, c] = (a, b] + (b, c]}.
 */
public sealed interface Timing
    permits Cron, Every, EveryPeriod, Once, BusinessTiming, CalendarTiming {

  /** Return the first slot strictly after {@code after}; empty if there is none. */
  Optional<Instant> next(Instant after);

  /** Return the last slot strictly before {@code before}; empty if there is none. */
  Optional<Instant> previous(Instant before);

  /** Count the slots after {@code after} up to and including {@code through}, without iterating. */
  long count(Instant after, Instant through);

  /** Describe in plain English when this timing fires. */
  String describe();

  /** Return warnings that follow from the text alone; {@link Lint} checks dates too. */
  default List<Warning> warnings() {
    return List.of();
  }

  /** Return whether exactly this instant is a slot. */
  default boolean matches(Instant instant) {
    return instant.isAfter(Instant.MIN)
        && next(instant.minusNanos(1)).filter(instant::equals).isPresent();
  }

  /** Return the slots after {@code after} up to and including {@code through}, computed lazily. */
  default Slots between(Instant after, Instant through) {
    return new Slots(this, after, through);
  }

  /**
   * Parse a cron expression, a macro such as {@code @daily}, {@code @every 90s} or {@code @every
   * P1M}.
   *
   * @throws CronSyntaxException if the text is none of these; its message shows where and why
   */
  static Timing parse(String text, ZoneId zone) {
    return parse(text, zone, "");
  }

  /**
   * Parse a timing whose {@code H} terms are resolved for the schedule {@code key}.
   *
   * @throws CronSyntaxException if the text is no timing; its message shows where and why
   */
  static Timing parse(String text, ZoneId zone, String key) {
    return EveryParser.matches(text) ? EveryParser.parse(text, zone) : Cron.parse(text, zone, key);
  }
}
