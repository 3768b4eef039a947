package dev.carillon.time.business;

import java.time.Instant;

/** Reads and writes holidays as iCalendar files (RFC 5545). */
public final class Ics {
  /** The longest text accepted, in characters. */
  public static final int MAX_LENGTH = 4_194_304;

  private Ics() {}

  /**
   * Read the all-day events of a text as holidays. Events of several days are as many holidays;
   * those that are repeated every year without an end are recurring ones, also for years before.
   * Other events are ignored and counted, such as those with a time of day, canceled ones, and
   * those repeated by rules other than years. Everything else in the text is ignored.
   *
   * @throws dev.carillon.time.InvalidValueException if it is no iCalendar text or too large; the
   *     message names the line
   */
  public static IcsHolidays read(String text) {
    return new IcsReader(text).read();
  }

  /**
   * Write the holidays of a calendar, of a combined one those of all its parts, except where they
   * are extra working days.
   *
   * @param stamp the time that the file names as its own
   */
  public static String write(BusinessCalendar calendar, Instant stamp) {
    return new IcsWriter(stamp).write(calendar);
  }
}
