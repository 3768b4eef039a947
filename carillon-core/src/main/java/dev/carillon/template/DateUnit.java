package dev.carillon.template;

import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Optional;

/**
 * What a date is moved by. Seconds, minutes and hours are lengths of time; the others go by the
 * calendar and keep the time of day, as far as the clocks have it.
 */
enum DateUnit {
  SECONDS('s', ChronoUnit.SECONDS),
  MINUTES('m', ChronoUnit.MINUTES),
  HOURS('h', ChronoUnit.HOURS),
  DAYS('d', ChronoUnit.DAYS),
  WEEKS('w', ChronoUnit.WEEKS),
  MONTHS('M', ChronoUnit.MONTHS),
  YEARS('y', ChronoUnit.YEARS);

  final char letter;
  private final ChronoUnit unit;

  DateUnit(char letter, ChronoUnit unit) {
    this.letter = letter;
    this.unit = unit;
  }

  static Optional<DateUnit> of(char letter) {
    return Arrays.stream(values()).filter(unit -> unit.letter == letter).findFirst();
  }

  ZonedDateTime plus(ZonedDateTime date, int amount) {
    return date.plus(amount, unit);
  }
}
