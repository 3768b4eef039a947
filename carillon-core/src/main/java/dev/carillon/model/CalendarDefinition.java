package dev.carillon.model;

import dev.carillon.time.InvalidValueException;
import dev.carillon.time.business.BusinessCalendar;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * What a calendar is made of: days of its own, or the names of calendars that it combines.
 *
 * @param name what it is called
 * @param own its own days and hours; empty if it combines others
 * @param combines the calendars that it combines, whose own days are combined by {@link
 *     BusinessCalendar#combined}; none if it has days of its own
 * @param description what it is for; empty if it does not say
 */
public record CalendarDefinition(
    String name, Optional<BusinessCalendar> own, List<String> combines, String description) {
  public CalendarDefinition {
    combines = List.copyOf(combines);
    if (own.isPresent() != combines.isEmpty()) {
      throw new InvalidValueException(
          "combines", "a calendar has days of its own, or combines others: not both, nor neither");
    }
  }

  /** Return a calendar with days of its own. */
  public static CalendarDefinition of(BusinessCalendar calendar) {
    if (!calendar.parts().isEmpty()) {
      throw new InvalidValueException(
          "combines", "a combination is stored by the names of what it combines; use combining");
    }
    return new CalendarDefinition(calendar.name(), Optional.of(calendar), List.of(), "");
  }

  /**
   * Return a calendar that combines others: a day is a business day if it is one in all of them.
   */
  public static CalendarDefinition combining(String name, String... calendars) {
    return new CalendarDefinition(name, Optional.empty(), List.of(calendars), "");
  }

  /** Return this calendar with a description. */
  public CalendarDefinition describedAs(String text) {
    return new CalendarDefinition(name, own, combines, text);
  }

  /** Return the last date for which its own holidays are known, if it says so. */
  public Optional<LocalDate> coverageUntil() {
    return own.flatMap(BusinessCalendar::coverageUntil);
  }

  /** Return the calendar, whose parts {@code others} returns. */
  public BusinessCalendar resolve(Function<String, BusinessCalendar> others) {
    return own.orElseGet(
        () -> BusinessCalendar.combined(name, combines.stream().map(others).toList()));
  }
}
