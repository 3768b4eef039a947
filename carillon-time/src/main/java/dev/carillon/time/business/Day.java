package dev.carillon.time.business;

import java.time.LocalDate;

/**
 * What a calendar says about a date.
 *
 * @param date the date
 * @param kind what kind of day it is
 * @param name the name of the holiday, half day or extra working day; else empty
 * @param calendar the calendar that says so: of a combined one, that whose day off it is
 */
public record Day(LocalDate date, Kind kind, String name, String calendar) {

  /** Kinds of days. */
  public enum Kind {
    /** A usual business day. */
    BUSINESS,
    /** A day of the weekend. */
    WEEKEND,
    /** A holiday. */
    HOLIDAY,
    /** A business day with fewer working hours. */
    HALF_DAY,
    /** A business day that would be none by weekday or as a holiday. */
    EXTRA_WORKING_DAY,
    /** A date that its time zone skipped, or outside of 1970 to 2199. */
    UNKNOWN;

    /** Return whether it is a business day. */
    public boolean isBusiness() {
      return this == BUSINESS || this == HALF_DAY || this == EXTRA_WORKING_DAY;
    }
  }

  /** Return whether it is a business day. */
  public boolean isBusiness() {
    return kind.isBusiness();
  }

  /** Say why it is or is not a business day, such as "2027-04-05 is Easter Monday". */
  public String because() {
    return switch (kind) {
      case BUSINESS -> Weekdays.name(date.getDayOfWeek()) + " " + date + " is a business day";
      case WEEKEND -> Weekdays.name(date.getDayOfWeek()) + " is no business day";
      case HOLIDAY -> date + " is " + (name.isEmpty() ? "a holiday" : name);
      case HALF_DAY -> date + " is a half day" + inBrackets();
      case EXTRA_WORKING_DAY -> date + " is an extra working day" + inBrackets();
      case UNKNOWN -> date + " is not in the calendar";
    };
  }

  private String inBrackets() {
    return name.isEmpty() ? "" : " (" + name + ")";
  }
}
