package dev.carillon.time.business;

import dev.carillon.time.Timing;
import java.time.ZoneId;

/** A timing that follows a calendar, in ways that cron cannot say. */
public sealed interface BusinessTiming extends Timing
    permits BusinessDayOfMonth, BusinessDayAfter, WorkingHoursEdge {

  /** Return the calendar. */
  BusinessCalendar calendar();

  /** Return the zone of its times of day. */
  ZoneId zone();
}
