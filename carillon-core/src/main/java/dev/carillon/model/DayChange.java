package dev.carillon.model;

import dev.carillon.time.business.Day;
import java.time.LocalDate;

/**
 * A day that two calendars, or two versions of one, take for something else.
 *
 * @param before what the first says
 * @param after what the second says
 */
public record DayChange(Day before, Day after) {

  /** Return the date. */
  public LocalDate date() {
    return before.date();
  }

  /** Tell whether it becomes a business day, or is one no longer. */
  public boolean isMoved() {
    return before.isBusiness() != after.isBusiness();
  }
}
