package dev.carillon.time.business;

import dev.carillon.time.Timing;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/**
 * A timing that knows its calendar by name only. Its slots are found without the calendar, so that
 * they stay when that is edited: a month, a day or a date that the timing speaks of. When the slot
 * is due is up to the calendar: see {@link CalendarTimingRule}.
 */
public sealed interface CalendarTiming extends Timing
    permits MonthlyBusinessDay, BusinessDaysAfter, OpenOrClose {

  /** Return the name of the calendar. */
  String calendar();

  /** Return the zone of its slots and times of day; empty for that of the calendar. */
  Optional<ZoneId> zone();

  /** Return the same with slots and times of day in {@code zone}. */
  CalendarTiming withZone(ZoneId zone);

  /** Return the timing by {@code calendar}, whose slots are the times that this one means. */
  BusinessTiming on(BusinessCalendar calendar);

  /**
   * Return the time that {@code slot} stands for by {@code calendar}; empty if there is none, such
   * as in a month with fewer business days.
   */
  Optional<Instant> named(BusinessCalendar calendar, Instant slot);

  /** Say what {@code slot} stands for, such as "business day 3 of 2027-05". */
  String named(Instant slot);

  /** Say why {@code slot} stands for no time by {@code calendar}. */
  String unnamed(BusinessCalendar calendar, Instant slot);

  /** Return how much before its slot the time that it stands for can be at most. */
  Duration maxBeforeSlot();

  /** Return how much after its slot the time that it stands for can be at most. */
  Duration maxAfterSlot();

  /** Return the zone of its slots. */
  default ZoneId slotZone() {
    return zone().orElse(ZoneId.of("UTC"));
  }
}
