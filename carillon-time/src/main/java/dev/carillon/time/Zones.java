package dev.carillon.time;

import dev.carillon.time.business.BusinessTiming;
import dev.carillon.time.business.CalendarTiming;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRulesProvider;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The known time zones: the regions of the tz database, by their exact names. */
public final class Zones {
  private static final Set<String> IDS = available();

  private Zones() {}

  static Set<String> ids() {
    return IDS;
  }

  private static Set<String> available() {
    var ids = new TreeSet<>(ZoneId.getAvailableZoneIds());
    ids.removeIf(id -> id.startsWith("SystemV/"));
    return ids;
  }

  /**
   * Return the zone called {@code id}.
   *
   * @throws UnknownZoneException if there is none; the message suggests one
   */
  public static ZoneId of(String id) {
    if (!IDS.contains(id)) {
      throw refuse(id);
    }
    return ZoneId.of(id);
  }

  /** Return the zone of {@code timing}, if it has one. */
  public static Optional<ZoneId> of(Timing timing) {
    if (timing instanceof Cron cron) {
      return Optional.of(cron.zone());
    }
    if (timing instanceof Once once) {
      return once.zone();
    }
    if (timing instanceof BusinessTiming business) {
      return Optional.of(business.zone());
    }
    if (timing instanceof CalendarTiming named) {
      return named.zone();
    }
    return timing instanceof EveryPeriod every ? Optional.of(every.zone()) : Optional.empty();
  }

  /**
   * Return {@code zone} if {@link #of(String)} would accept its name.
   *
   * @throws UnknownZoneException if it would not
   */
  public static ZoneId check(ZoneId zone) {
    return of(zone.getId());
  }

  /**
   * Return the instant of a local time, by the same rule as for slots: a skipped one is the end of
   * the gap, a repeated one the first of the two.
   */
  public static Instant instant(LocalDateTime local, ZoneId zone) {
    ZoneOffsetTransition change = zone.getRules().getTransition(local);
    return change != null && change.isGap()
        ? change.getInstant()
        : local.atZone(zone).withEarlierOffsetAtOverlap().toInstant();
  }

  /** Return the version of the tz database, such as {@code 2026a}. */
  public static String version() {
    return ZoneRulesProvider.getVersions("UTC").lastKey();
  }

  /** Return warnings about the name of {@code zone}: a former name, or a reversed sign. */
  public static List<Warning> warnings(ZoneId zone) {
    String id = zone.getId();
    String current = Former.NAMES.get(id);
    if (current != null) {
      return List.of(
          new Warning("FORMER_ZONE", "zone %s is a former name of %s".formatted(id, current)));
    }
    if (id.startsWith("Etc/GMT+") || id.startsWith("Etc/GMT-")) {
      ZoneOffset offset = zone.getRules().getOffset(Instant.EPOCH);
      String message =
          "zone %s is UTC%s: the signs of these names are reversed".formatted(id, offset);
      return List.of(new Warning("REVERSED_SIGN", message.replace("UTCZ", "UTC")));
    }
    return List.of();
  }

  private static UnknownZoneException refuse(String id) {
    if (id.isEmpty() || id.length() > 64) {
      return new UnknownZoneException("a zone is a name such as Europe/Rome, or UTC");
    }
    String otherCase =
        IDS.stream().filter(known -> known.equalsIgnoreCase(id)).findFirst().orElse("");
    if (!otherCase.isEmpty()) {
      return new UnknownZoneException(
          "there is no zone '%s'; names are case-sensitive: use %s".formatted(id, otherCase));
    }
    if (isOffset(id)) {
      return new UnknownZoneException(
          "'%s' is an offset, which knows no daylight saving; use UTC or a region such as Europe/Rome"
              .formatted(id));
    }
    if (isAbbreviation(id)) {
      return new UnknownZoneException(
          "'%s' is an abbreviation, which means several zones or none; use a region such as Europe/Rome"
              .formatted(id));
    }
    return new UnknownZoneException(
        "there is no zone '%s'%s"
            .formatted(
                id, ClosestMatch.to(id, IDS).map("; did you mean %s?"::formatted).orElse("")));
  }

  private static boolean isOffset(String id) {
    return id.equals("Z")
        || Stream.of("UTC", "GMT", "UT", "")
            .anyMatch(name -> id.startsWith(name + "+") || id.startsWith(name + "-"));
  }

  private static boolean isAbbreviation(String id) {
    return id.length() >= 2
        && id.length() <= 5
        && id.chars().allMatch(letter -> letter >= 'A' && letter <= 'Z');
  }

  /** Names that the tz database keeps for compatibility, with the current names. */
  private static final class Former {
    static final Map<String, String> NAMES = read();

    private static Map<String, String> read() {
      try (InputStream file = Zones.class.getResourceAsStream("former-zones.tsv");
          var lines =
              new BufferedReader(
                  new InputStreamReader(Objects.requireNonNull(file), StandardCharsets.UTF_8))) {
        return lines
            .lines()
            .map(line -> line.split("\t", 2))
            .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
