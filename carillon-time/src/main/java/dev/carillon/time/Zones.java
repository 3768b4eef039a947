package dev.carillon.time;

import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Set;
import java.util.TreeSet;

/** The time zones schedules may use: the regions of the tz database, by their exact names. */
public final class Zones {
  private static final Set<String> IDS = ids();

  private Zones() {}

  private static Set<String> ids() {
    var ids = new TreeSet<>(ZoneId.getAvailableZoneIds());
    ids.removeIf(id -> id.startsWith("SystemV/"));
    return ids;
  }

  static ZoneId check(ZoneId zone) {
    if (zone instanceof ZoneOffset || !IDS.contains(zone.getId())) {
      throw new UnknownZoneException("bad zone " + zone);
    }
    return zone;
  }

  public static ZoneId of(String id) {
    return check(ZoneId.of(id));
  }
}
