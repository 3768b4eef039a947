package dev.carillon.cli;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Reads the dates and times people type. */
final class Moment {
  private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("9999-12-31T00:00:00Z");

  private Moment() {}

  /** Read an instant, or a date or time on the clock of {@code zone}; empty if it is neither. */
  static Optional<Instant> parse(String text, ZoneId zone) {
    List<Function<String, Instant>> readings =
        List.of(
            Instant::parse,
            typed -> OffsetDateTime.parse(typed).toInstant(),
            typed -> LocalDateTime.parse(typed).atZone(zone).toInstant(),
            typed -> LocalDate.parse(typed).atStartOfDay(zone).toInstant());
    return readings.stream()
        .flatMap(reading -> attempt(reading, text).stream())
        .findFirst()
        .filter(moment -> moment.isAfter(FIRST) && moment.isBefore(LAST));
  }

  private static Optional<Instant> attempt(Function<String, Instant> reading, String text) {
    try {
      return Optional.of(reading.apply(text));
    } catch (DateTimeException notThis) {
      return Optional.empty();
    }
  }
}
