package dev.carillon.server;

import dev.carillon.Carillon;
import dev.carillon.targets.http.ScheduleZones;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The time zones of versions of schedules, of which those that were used last are kept. */
final class VersionZones implements ScheduleZones {
  private static final int MAX_KEPT = 10_000;

  private final Carillon carillon;

  /* Guarded by itself; in the order of use. */
  private final Map<Version, ZoneId> kept =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Version, ZoneId> eldest) {
          return size() > MAX_KEPT;
        }
      };

  private record Version(String key, int number) {}

  VersionZones(Carillon carillon) {
    this.carillon = carillon;
  }

  @Override
  public ZoneId of(Optional<String> schedule, int version) {
    return schedule.map(key -> of(new Version(key, version))).orElse(ZoneOffset.UTC);
  }

  private ZoneId of(Version version) {
    synchronized (kept) {
      ZoneId known = kept.get(version);
      if (known != null) {
        return known;
      }
    }
    ZoneId zone =
        carillon
            .schedules()
            .version(version.key, version.number)
            .map(found -> found.definition().zone())
            .orElse(ZoneOffset.UTC);
    synchronized (kept) {
      kept.put(version, zone);
    }
    return zone;
  }
}
