package dev.carillon.cli.console;

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
public final class Moment {
  private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");
  private static final Instant LATEST = Instant.parse("9999-12-31T00:00:00Z");

  private Moment() {}

  /** Which moment a mere date stands for. */
  public enum Edge {
    /** The last second before the day, so that what comes after it begins with the day. */
    BEFORE(0, -1),
    /** The first second of the day. */
    FIRST(0, 0),
    /** The last second of the day. */
    LAST(1, -1),
    /** The first second after the day. */
    AFTER(1, 0);

    private final int days;
    private final int seconds;

    Edge(int days, int seconds) {
      this.days = days;
      this.seconds = seconds;
    }

    Instant of(LocalDate date, ZoneId zone) {
      return date.plusDays(days).atStartOfDay(zone).toInstant().plusSeconds(seconds);
    }
  }

  /** Read an instant, or a date or time on the clock of {@code zone}; empty if it is neither. */
  public static Optional<Instant> parse(String text, ZoneId zone, Edge edge) {
    List<Function<String, Instant>> readings =
        List.of(
            Instant::parse,
            typed -> OffsetDateTime.parse(typed).toInstant(),
            typed -> LocalDateTime.parse(typed).atZone(zone).toInstant(),
            typed -> edge.of(LocalDate.parse(typed), zone));
    return readings.stream()
        .flatMap(reading -> attempt(reading, text).stream())
        .findFirst()
        .filter(moment -> moment.isAfter(EARLIEST) && moment.isBefore(LATEST));
  }

  private static Optional<Instant> attempt(Function<String, Instant> reading, String text) {
    try {
      return Optional.of(reading.apply(text));
    } catch (DateTimeException notThis) {
      return Optional.empty();
    }
  }
}
