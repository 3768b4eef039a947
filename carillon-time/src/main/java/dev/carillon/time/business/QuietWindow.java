package dev.carillon.time.business;

import dev.carillon.time.InvalidValueException;
import java.time.DayOfWeek;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Hours that are quiet every week.
 *
 * @param days the weekdays on which they begin
 * @param hours from when until when; across midnight if they end before they begin
 */
public record QuietWindow(Set<DayOfWeek> days, HourSpan hours) {
  private static final Set<DayOfWeek> EVERY_DAY =
      Collections.unmodifiableSet(EnumSet.allOf(DayOfWeek.class));

  public QuietWindow {
    if (days.isEmpty()) {
      throw new InvalidValueException("windows", "%s needs a weekday".formatted(hours));
    }
    days = Collections.unmodifiableSet(EnumSet.copyOf(days));
    if (hours.startSecond() % 60 != 0 || hours.endSecond() % 60 != 0) {
      throw new InvalidValueException(
          "windows", "quiet hours begin and end at whole minutes; were " + hours);
    }
  }

  /** Return hours that are quiet on every day, such as {@code "22:00-07:00"}. */
  public static QuietWindow daily(String hours) {
    return new QuietWindow(EVERY_DAY, HourSpan.parse(hours));
  }

  /** Say when it is quiet, such as {@code 22:00-07:00} or {@code 00:00-24:00 on Sat, Sun}. */
  @Override
  public String toString() {
    return days.size() == 7
        ? hours.toString()
        : hours + " on " + days.stream().map(Weekdays::shortName).collect(Collectors.joining(", "));
  }
}
