package dev.carillon.plan.explain;

import dev.carillon.time.Fire;
import dev.carillon.time.Once;
import dev.carillon.time.Timing;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAccessor;
import java.util.Locale;

/**
 * Writes instants for people: on the clock of a zone, and in UTC.
 *
 * @param zone the zone
 */
record MomentText(ZoneId zone) {
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("uuuu-MM-dd", Locale.ROOT);
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("d MMMM uuuu", Locale.ENGLISH);

  /** Write instants on the clock of {@code timing}, or in UTC if it has none. */
  static MomentText of(Timing timing) {
    return new MomentText(
        timing instanceof Once once
            ? once.zone().orElse(ZoneOffset.UTC)
            : Fire.of(timing, ZoneOffset.UTC, Instant.EPOCH).local().getZone());
  }

  /** Write as {@code 2027-03-28 03:00 in Europe/Rome (2027-03-28T01:00:00Z)}. */
  String of(Instant instant) {
    Instant shown = instant.truncatedTo(ChronoUnit.MILLIS);
    ZonedDateTime local = shown.atZone(zone);
    String text = DAY.format(local) + " " + clock(local.toLocalTime());
    return isUtc() ? text + " UTC" : text + " in " + zone.getId() + " (" + shown + ")";
  }

  /** Write as {@code 28 March 2027}. */
  static String date(TemporalAccessor day) {
    return DATE.format(day);
  }

  /** Write as {@code 02:30}, with seconds if there are any. */
  static String clock(LocalTime time) {
    return time.toString();
  }

  private boolean isUtc() {
    return zone.equals(ZoneOffset.UTC)
        || zone.getId().equals("UTC")
        || zone.getId().equals("Etc/UTC");
  }
}
