package dev.carillon.time;

import java.time.Instant;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The UTC offsets of a zone from 1970 to 2199 as a table of spans with one offset each. Buckets
 * make finding the span of an instant faster than {@link ZoneRules} does.
 */
final class ZoneOffsets {
  /* Span i lasts from starts[i] to starts[i + 1]; the first and the last are open-ended.
   * buckets[b] is the span in which bucket b begins. */

  /** All local times of 1970 to 2199 lie between these instants in every zone. */
  private static final long FIRST_SECOND = -2L * TimesOfDay.DAY;

  private static final long LAST_SECOND = (MonthTable.endDay() + 2L) * TimesOfDay.DAY;

  private static final int BUCKET_BITS = 22; // 48 days: rarely more than one offset change

  private static volatile Map<ZoneId, ZoneOffsets> cache = Map.of();

  private final long[] starts;
  private final int[] offsets;
  private final short[] buckets;

  private ZoneOffsets(ZoneRules rules) {
    List<ZoneOffsetTransition> changes = changes(rules);
    starts = new long[changes.size() + 2];
    offsets = new int[changes.size() + 1];
    starts[0] = Long.MIN_VALUE;
    offsets[0] = rules.getOffset(Instant.ofEpochSecond(FIRST_SECOND)).getTotalSeconds();
    for (int i = 0; i < changes.size(); i++) {
      starts[i + 1] = changes.get(i).toEpochSecond();
      offsets[i + 1] = changes.get(i).getOffsetAfter().getTotalSeconds();
    }
    starts[changes.size() + 1] = Long.MAX_VALUE;
    buckets = buckets();
  }

  /** Return the table of {@code zone}, created on first use and cached. */
  static ZoneOffsets of(ZoneId zone) {
    ZoneOffsets zoneOffsets = cache.get(zone);
    return zoneOffsets == null ? addToCache(zone) : zoneOffsets;
  }

  private static synchronized ZoneOffsets addToCache(ZoneId zone) {
    var copy = new HashMap<>(cache);
    ZoneOffsets zoneOffsets =
        copy.computeIfAbsent(zone, z -> new ZoneOffsets(Zones.check(z).getRules()));
    cache = copy;
    return zoneOffsets;
  }

  private static List<ZoneOffsetTransition> changes(ZoneRules rules) {
    var changes = new ArrayList<ZoneOffsetTransition>();
    var change = rules.nextTransition(Instant.ofEpochSecond(FIRST_SECOND));
    while (change != null && change.toEpochSecond() < LAST_SECOND) {
      changes.add(change);
      change = rules.nextTransition(change.getInstant());
    }
    return changes;
  }

  private short[] buckets() {
    var spans = new short[bucket(LAST_SECOND) + 1];
    short span = 0;
    for (int b = 0; b < spans.length; b++) {
      long begin = FIRST_SECOND + ((long) b << BUCKET_BITS);
      while (starts[span + 1] <= begin) {
        span++;
      }
      spans[b] = span;
    }
    return spans;
  }

  private static int bucket(long second) {
    return (int) ((second - FIRST_SECOND) >> BUCKET_BITS);
  }

  /** Return {@code second}, or the nearest one this table covers. */
  static long clamp(long second) {
    return Math.max(FIRST_SECOND, Math.min(second, LAST_SECOND));
  }

  /** Return the span that contains {@code second}, which must be clamped. */
  int spanAt(long second) {
    int span = buckets[bucket(second)];
    while (starts[span + 1] <= second) {
      span++;
    }
    return span;
  }

  int last() {
    return offsets.length - 1;
  }

  int offset(int span) {
    return offsets[span];
  }

  /** The instant at which {@code span} begins; meaningless for the first. */
  long start(int span) {
    return starts[span];
  }

  /** The local time at which {@code span} begins. */
  long localStart(int span) {
    return span == 0 ? Long.MIN_VALUE : starts[span] + offsets[span];
  }

  /** The local time at which {@code span} ends, exclusive. */
  long localEnd(int span) {
    return span == last() ? Long.MAX_VALUE : starts[span + 1] + offsets[span];
  }
}
