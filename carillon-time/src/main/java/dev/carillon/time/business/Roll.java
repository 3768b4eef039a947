package dev.carillon.time.business;

import java.time.LocalDate;

/**
 * What becomes of a date that is no business day, with the meaning that ISDA gives to business day
 * conventions. A business day stays as it is.
 */
public enum Roll {
  /** The slot becomes no run. */
  SKIP,
  /** The next business day. */
  FOLLOWING,
  /** The next business day, unless it is in another month: then the last one before. */
  MODIFIED_FOLLOWING,
  /** The last business day before. */
  PRECEDING,
  /** The last business day before, unless it is in another month: then the next one. */
  MODIFIED_PRECEDING,
  /** The closest business day; the next one if two are equally close. */
  NEAREST;

  /** Return the business day for {@code day}, or {@link BusinessDays#NONE}. */
  long apply(BusinessDays days, long day) {
    if (days.contains(day)) {
      return day;
    }
    if (day < 0 || day >= BusinessDays.END) {
      return BusinessDays.NONE;
    }
    long next = days.atOrAfter(day);
    long last = days.atOrBefore(day);
    return switch (this) {
      case SKIP -> BusinessDays.NONE;
      case FOLLOWING -> next;
      case PRECEDING -> last;
      case MODIFIED_FOLLOWING -> isSameMonth(day, next) ? next : last;
      case MODIFIED_PRECEDING -> isSameMonth(day, last) ? last : next;
      case NEAREST -> {
        boolean onlyOne = next == BusinessDays.NONE || last == BusinessDays.NONE;
        boolean later = onlyOne ? last == BusinessDays.NONE : next - day <= day - last;
        yield later ? next : last;
      }
    };
  }

  private static boolean isSameMonth(long day, long other) {
    if (other == BusinessDays.NONE) {
      return false;
    }
    LocalDate one = LocalDate.ofEpochDay(day);
    LocalDate two = LocalDate.ofEpochDay(other);
    return one.getMonth() == two.getMonth() && one.getYear() == two.getYear();
  }
}
