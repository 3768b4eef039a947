package dev.carillon.policy;

import dev.carillon.time.InvalidValueException;
import dev.carillon.time.business.CalendarRule;
import dev.carillon.time.business.OutsideHours;
import dev.carillon.time.business.Roll;

/**
 * Which calendar a schedule follows, and how.
 *
 * @param name the name of the calendar
 * @param roll what becomes of slots that are on no business day
 * @param offset how many business days later runs are due; earlier if negative
 * @param outsideHours what becomes of due times outside of working hours
 */
public record CalendarPolicy(String name, Roll roll, int offset, OutsideHours outsideHours) {
  public CalendarPolicy {
    if (name.isBlank()) {
      throw new InvalidValueException("name", "a calendar is chosen by its name; it was empty");
    }
    if (Math.abs((long) offset) > CalendarRule.MAX_OFFSET) {
      throw new InvalidValueException(
          "offset",
          "offset must be from -%s to %s business days; was %s"
              .formatted(CalendarRule.MAX_OFFSET, CalendarRule.MAX_OFFSET, offset));
    }
  }

  /** Roll slots by the calendar called {@code name}, at any hour of business days. */
  public static CalendarPolicy of(String name, Roll roll) {
    return new CalendarPolicy(name, roll, 0, OutsideHours.ALLOW);
  }

  /** Let runs be due {@code days} business days later, or earlier if negative. */
  public CalendarPolicy offset(int days) {
    return new CalendarPolicy(name, roll, days, outsideHours);
  }

  /** Do {@code answer} with due times outside of working hours. */
  public CalendarPolicy outsideHours(OutsideHours answer) {
    return new CalendarPolicy(name, roll, offset, answer);
  }

  /** Tell whether it may give each slot another due time, rather than leave some out. */
  public boolean moves() {
    return roll != Roll.SKIP || offset != 0 || outsideHours == OutsideHours.DEFER;
  }
}
