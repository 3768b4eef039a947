package dev.carillon.cli.console;

import dev.carillon.time.DurationText;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the dates and times people type, the same for every option: an instant, a date or a time on
 * the clock of a zone, {@code now}, {@code now-2h}, {@code tomorrow} or {@code tomorrow 09:30}.
 */
public final class DateTimeReader {
  /** How to write one, in words. */
  public static final String FORMS =
      "write 2027-03-26, '2027-03-26 09:30', 2027-03-26T08:30:00Z, tomorrow, now or now-2h";

  private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");
  private static final Instant LATEST = Instant.parse("9999-12-31T00:00:00Z");
  private static final Pattern FROM_NOW = Pattern.compile("now(?:([+-])(.+))?");
  private static final Pattern LOCAL = Pattern.compile("([^ T]+)(?:[ T]([0-9:.]+))?");

  private final Instant now;
  private final ZoneId zone;

  private DateTimeReader(Instant now, ZoneId zone) {
    this.now = now;
    this.zone = zone;
  }

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

  /** Read a moment; empty if it is none. What has no offset is on the clock of {@code zone}. */
  public static Optional<Instant> parse(String text, Instant now, ZoneId zone, Edge edge) {
    try {
      return Optional.of(new DateTimeReader(now, zone).read(text.strip(), edge))
          .filter(moment -> moment.isAfter(EARLIEST) && moment.isBefore(LATEST));
    } catch (DateTimeException | ArithmeticException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private Instant read(String text, Edge edge) {
    Matcher fromNow = FROM_NOW.matcher(text);
    if (fromNow.matches()) {
      return fromNow(fromNow);
    }
    if (text.endsWith("Z") || text.endsWith("z")) {
      return Instant.parse(text);
    }
    Matcher local = LOCAL.matcher(text);
    if (!local.matches()) {
      return OffsetDateTime.parse(text.replace(' ', 'T')).toInstant();
    }
    LocalDate day = day(local.group(1));
    return local.group(2) == null
        ? edge.of(day, zone)
        : day.atTime(LocalTime.parse(local.group(2))).atZone(zone).toInstant();
  }

  private Instant fromNow(Matcher fromNow) {
    if (fromNow.group(2) == null) {
      return now;
    }
    Duration distance = DurationText.parse(fromNow.group(2));
    return fromNow.group(1).equals("-") ? now.minus(distance) : now.plus(distance);
  }

  private LocalDate day(String text) {
    LocalDate today = LocalDate.ofInstant(now, zone);
    return switch (text) {
      case "today" -> today;
      case "tomorrow" -> today.plusDays(1);
      case "yesterday" -> today.minusDays(1);
      default -> LocalDate.parse(text);
    };
  }
}
