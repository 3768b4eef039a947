package dev.carillon.time.business;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the clock changes of a zone from 1970 to 2199 do to its days.
 *
 * @param shortened the dates that are shorter because clocks went forward
 * @param spread how far apart its offsets are: so much two stretches of time can differ that are
 *     equally long by the clock
 */
record ZoneChanges(List<LocalDate> shortened, Duration spread) {
  private static final Instant END =
      BusinessDays.LAST.plusDays(2).atStartOfDay().toInstant(ZoneOffset.UTC);

  private static volatile Map<ZoneId, ZoneChanges> cache = Map.of();

  /** Return the changes of {@code zone}, found on first use and cached. */
  static ZoneChanges of(ZoneId zone) {
    ZoneChanges changes = cache.get(zone);
    return changes == null ? addToCache(zone) : changes;
  }

  private static synchronized ZoneChanges addToCache(ZoneId zone) {
    var copy = new HashMap<>(cache);
    ZoneChanges changes = copy.computeIfAbsent(zone, ZoneChanges::find);
    cache = copy;
    return changes;
  }

  private static ZoneChanges find(ZoneId zone) {
    Instant start = Instant.EPOCH.minus(Duration.ofDays(2));
    var dates = new ArrayList<LocalDate>();
    int least = zone.getRules().getOffset(start).getTotalSeconds();
    int most = least;
    ZoneOffsetTransition change = zone.getRules().nextTransition(start);
    while (change != null && change.getInstant().isBefore(END)) {
      least = Math.min(least, change.getOffsetAfter().getTotalSeconds());
      most = Math.max(most, change.getOffsetAfter().getTotalSeconds());
      if (change.isGap()) {
        LocalDate last = change.getDateTimeAfter().toLocalDate();
        for (LocalDate date = change.getDateTimeBefore().toLocalDate();
            !date.isAfter(last);
            date = date.plusDays(1)) {
          dates.add(date);
        }
      }
      change = zone.getRules().nextTransition(change.getInstant());
    }
    dates.removeIf(date -> date.isBefore(BusinessDays.FIRST) || date.isAfter(BusinessDays.LAST));
    return new ZoneChanges(List.copyOf(dates), Duration.ofSeconds(most - least));
  }
}
