package dev.carillon.time;

import java.time.ZoneId;
import java.util.Collection;
import java.util.List;

/**
 * The time zones that schedules may use: all, or those that match a configured name or pattern,
 * such as {@code UTC} and {@code Europe/*}.
 */
public final class AllowedZones {
  /** All zones. */
  public static final AllowedZones ALL = new AllowedZones(List.of());

  private static final String WILDCARD = "*";

  private final List<String> patterns;

  private AllowedZones(List<String> patterns) {
    this.patterns = patterns;
  }

  /**
   * Allow the zones that match one of {@code patterns}: a name, or a prefix followed by an
   * asterisk.
   *
   * @throws IllegalArgumentException if {@code patterns} is empty, or one matches no zone
   */
  public static AllowedZones of(Collection<String> patterns) {
    if (patterns.isEmpty()) {
      throw new IllegalArgumentException(
          "no zone is allowed; name some, such as UTC and Europe/*, or leave the list out");
    }
    for (String pattern : patterns) {
      if (Zones.ids().stream().noneMatch(id -> matches(pattern, id))) {
        throw new UnknownZoneException(
            "no zone matches '%s'; write a name such as Europe/Rome or UTC, or Europe/*"
                .formatted(pattern));
      }
    }
    return new AllowedZones(List.copyOf(patterns));
  }

  private static boolean matches(String pattern, String id) {
    return pattern.endsWith(WILDCARD)
        ? id.startsWith(pattern.substring(0, pattern.length() - 1))
        : id.equals(pattern);
  }

  /** Return the names and patterns; none if all zones are allowed. */
  public List<String> patterns() {
    return patterns;
  }

  /**
   * Return the zone called {@code id}.
   *
   * @throws UnknownZoneException if there is none, or it is not allowed; the message lists the
   *     allowed ones
   */
  public ZoneId named(String id) {
    return check(Zones.of(id));
  }

  /**
   * Return {@code zone} if it is allowed.
   *
   * @throws UnknownZoneException if it is not; the message lists the allowed ones
   */
  public ZoneId check(ZoneId zone) {
    if (!patterns.isEmpty()
        && patterns.stream().noneMatch(pattern -> matches(pattern, zone.getId()))) {
      throw new UnknownZoneException(
          "zone '%s' is not allowed here; allowed are %s"
              .formatted(zone.getId(), String.join(", ", patterns)));
    }
    return zone;
  }
}
