package dev.carillon.time.business;

import dev.carillon.time.Zones;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.zone.ZoneRules;

/**
 * Turns local times into instants, faster than {@link Zones#instant} where the clocks do not
 * change.
 */
final class SteadyOffset {
  /** The clocks change. */
  static final int CHANGING = Integer.MIN_VALUE;

  private SteadyOffset() {}

  /**
   * Return the offset of {@code rules} between two epoch seconds, or {@link #CHANGING}. They must
   * be less than six days apart: then no zone has changed its clocks and changed them back.
   */
  static int between(ZoneRules rules, long start, long end) {
    int offset = at(rules, start);
    return rules.isFixedOffset() || offset == at(rules, end) ? offset : CHANGING;
  }

  private static int at(ZoneRules rules, long second) {
    return rules.getOffset(Instant.ofEpochSecond(second)).getTotalSeconds();
  }

  /** Return the instant so many seconds after the midnight of a day, by the clock. */
  static Instant instant(long day, int second, int steadyOffset, ZoneId zone) {
    return steadyOffset == CHANGING
        ? Zones.instant(LocalDate.ofEpochDay(day).atStartOfDay().plusSeconds(second), zone)
        : Instant.ofEpochSecond(day * HourSpan.DAY_SECONDS + second - steadyOffset);
  }
}
