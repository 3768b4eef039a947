package dev.carillon.time.business;

import dev.carillon.time.InvalidValueException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.Period;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** An event while its lines are read. */
final class IcsEvent {
  private static final int MAX_DAYS = 366;
  private static final int MAX_EXCEPTIONS = 1_000;
  private static final int BASIC_DATE = 8;

  final int line;
  private Optional<LocalDate> start = Optional.empty();
  private Optional<LocalDate> end = Optional.empty();
  private int days = 1;
  private String name = "";
  private Optional<String> rule = Optional.empty();
  private final Set<LocalDate> exceptions = new HashSet<>();
  private Optional<String> obstacle = Optional.empty();

  IcsEvent(int line) {
    this.line = line;
  }

  /** Take one property of the event; unknown ones are ignored. */
  void add(IcsLine property) {
    switch (property.name()) {
      case "DTSTART" -> start = date(property);
      case "DTEND" -> end = date(property);
      case "DURATION" -> days = days(property);
      case "SUMMARY" -> name = IcsText.name(property.value());
      case "RRULE" -> {
        if (rule.isPresent()) {
          obstacle = Optional.of("has two rules of repetition");
        }
        rule = Optional.of(property.value().strip());
      }
      case "EXDATE" -> {
        for (String text : property.value().split(",", MAX_EXCEPTIONS)) {
          date(property.number(), text).ifPresent(exceptions::add);
        }
      }
      case "RDATE" -> obstacle = Optional.of("is repeated on dates of a list");
      case "RECURRENCE-ID" -> obstacle = Optional.of("changes one of a series");
      case "STATUS" -> {
        if (property.value().strip().equalsIgnoreCase("CANCELLED")) {
          obstacle = Optional.of("is canceled");
        }
      }
      default -> {}
    }
  }

  /* A date with a time of day is an obstacle, no error. */
  private Optional<LocalDate> date(IcsLine property) {
    boolean dated =
        property.parameters().getOrDefault("VALUE", "").equalsIgnoreCase("DATE")
            || property.value().strip().length() == BASIC_DATE;
    if (!dated) {
      obstacle = Optional.of("has a time of day");
      return Optional.empty();
    }
    return Optional.of(
        date(property.number(), property.value())
            .orElseThrow(() -> IcsLine.refuse(property.number(), "has no date such as 20270405")));
  }

  private static Optional<LocalDate> date(int line, String text) {
    String digits = text.strip();
    if (digits.length() != BASIC_DATE || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          LocalDate.of(
              Integer.parseInt(digits.substring(0, 4)),
              Integer.parseInt(digits.substring(4, 6)),
              Integer.parseInt(digits.substring(6))));
    } catch (DateTimeException e) {
      throw IcsLine.refuse(line, "has a date that does not exist: " + digits);
    }
  }

  @SuppressWarnings("JavaPeriodGetDays") // months are refused
  private static int days(IcsLine property) {
    String text = property.value().strip().toUpperCase(Locale.ROOT);
    try {
      Period period = text.length() > 16 ? Period.ZERO : Period.parse(text);
      if (period.getDays() > 0 && period.toTotalMonths() == 0) {
        return period.getDays();
      }
    } catch (DateTimeException e) {
      // reported below
    }
    throw IcsLine.refuse(property.number(), "has no duration in days, such as P1D");
  }

  /** Add its dates to {@code days}, or say why it becomes no holiday. */
  Optional<String> addTo(IcsDays found) {
    if (obstacle.isPresent()) {
      return obstacle;
    }
    if (start.isEmpty()) {
      return Optional.of("has no DTSTART");
    }
    LocalDate first = start.get();
    int length = end.map(last -> (int) (last.toEpochDay() - first.toEpochDay())).orElse(days);
    if (length < 0) {
      throw new InvalidValueException(
          "ics",
          "the event of line %s begins on %s and ends before, on %s; correct one of them"
              .formatted(line, first, end.map(LocalDate::toString).orElse("?")));
    }
    if (length > MAX_DAYS) {
      throw new InvalidValueException(
          "ics",
          "the event of line %s lasts from %s to %s; at most %s days are possible"
              .formatted(line, first, end.map(LocalDate::toString).orElse("?"), MAX_DAYS));
    }
    for (int day = 0; day < Math.max(1, length); day++) { // an end like the start means one day
      LocalDate date = first.plusDays(day);
      if (rule.isEmpty()) {
        found.add(date, name);
      } else {
        Optional<IcsYearly> yearly = IcsYearly.parse(rule.get(), first);
        if (yearly.isEmpty()) {
          return Optional.of("is repeated by a rule that is not simply yearly");
        }
        yearly.get().addTo(found, date, name, shifted(day));
      }
    }
    return Optional.empty();
  }

  /* Exceptions name the first days of events. */
  private Set<LocalDate> shifted(int day) {
    var dates = new HashSet<LocalDate>();
    exceptions.forEach(date -> dates.add(date.plusDays(day)));
    return dates;
  }
}
