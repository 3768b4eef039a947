package dev.carillon.time;

/**
 * An ordered set of local date-times from 1970 to 2199, in no zone. A local date-time is its
 * distance in seconds from 1970-01-01T00:00 local time.
 */
sealed interface LocalTimes permits CronLocalTimes, PeriodLocalTimes {
  long NEVER = Long.MAX_VALUE;
  long NONE = Long.MIN_VALUE;

  /** Return the first of them at or after {@code local}, or {@link #NEVER}. */
  long atOrAfter(long local);

  /** Return the last of them at or before {@code local}, or {@link #NONE}. */
  long atOrBefore(long local);

  /** Count those from {@code from} up to, not including, {@code to}. */
  long count(long from, long to);
}
