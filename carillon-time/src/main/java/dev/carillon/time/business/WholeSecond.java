package dev.carillon.time.business;

import dev.carillon.time.InvalidValueException;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;

/** Checks that times of day have no parts of seconds. */
final class WholeSecond {
  private WholeSecond() {}

  static void check(String field, LocalTime time) {
    if (!time.equals(time.truncatedTo(ChronoUnit.SECONDS))) {
      throw new InvalidValueException(field, "a time of day is a whole second; was " + time);
    }
  }
}
