package dev.carillon.template;

import java.time.ZonedDateTime;

/**
 * How far a date is moved.
 *
 * @param amount how many units; negative for earlier
 */
record DateOffset(int amount, DateUnit unit) {
  /** The most digits of an amount: far enough, and no date leaves what Java can count. */
  static final int MAX_DIGITS = 6;

  ZonedDateTime from(ZonedDateTime date) {
    return unit.plus(date, amount);
  }

  @Override
  public String toString() {
    return (amount < 0 ? "" : "+") + amount + unit.letter;
  }
}
