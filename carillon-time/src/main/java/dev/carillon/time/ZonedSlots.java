package dev.carillon.time;

/**
 * The instants of local date-times in a zone, with its clock changes. Instants are epoch seconds.
 *
 * @param slots the local date-times
 * @param zoneOffsets the offsets of the zone
 * @param firesAfterGap whether slots inside a gap become one slot at its end
 * @param firstPassOnly whether only the first pass of a repeated local time counts
 */
record ZonedSlots(
    LocalTimes slots, ZoneOffsets zoneOffsets, boolean firesAfterGap, boolean firstPassOnly) {
  static final long NEVER = LocalTimes.NEVER;
  static final long NONE = LocalTimes.NONE;

  /** Return the first slot after {@code second}, or {@link #NEVER}. */
  long next(long second) {
    long after = ZoneOffsets.clamp(second);
    int span = zoneOffsets.spanAt(after);
    long local = after + zoneOffsets.offset(span) + 1;
    if (firstPassOnly) {
      local = Math.max(local, endOfRepeat(span));
    }
    long slot = slots.atOrAfter(local);
    while (slot >= zoneOffsets.localEnd(span)) {
      if (span == zoneOffsets.last()) {
        return NEVER;
      }
      span++;
      long start = zoneOffsets.localStart(span);
      if (slot < start) {
        if (firesAfterGap) {
          return zoneOffsets.start(span);
        }
        local = start;
        slot = slots.atOrAfter(local);
      } else if (start < local && !firstPassOnly) {
        local = start;
        slot = slots.atOrAfter(local);
      }
    }
    return slot - zoneOffsets.offset(span);
  }

  /** Return the last slot before {@code second}, or {@link #NONE}. */
  long previous(long second) {
    long before = ZoneOffsets.clamp(second) - 1;
    int span = zoneOffsets.spanAt(ZoneOffsets.clamp(before));
    long local = before + zoneOffsets.offset(span);
    long slot = slots.atOrBefore(local);
    while (slot < (firstPassOnly ? endOfRepeat(span) : zoneOffsets.localStart(span))) {
      if (span == 0) {
        return NONE;
      }
      long start = zoneOffsets.localStart(span);
      long end = zoneOffsets.localEnd(span - 1);
      if (firesAfterGap && slot >= end && slot < start) {
        return zoneOffsets.start(span);
      }
      span--;
      if (slot >= end || local < end - 1) {
        slot = slots.atOrBefore(end - 1);
      }
      local = end - 1;
    }
    return slot == NONE ? NONE : slot - zoneOffsets.offset(span);
  }

  /** Count the slots after {@code after} up to and including {@code through}. */
  long count(long after, long through) {
    long from = ZoneOffsets.clamp(after) + 1;
    long to = ZoneOffsets.clamp(through) + 1;
    if (from >= to) {
      return 0;
    }
    long count = 0;
    int last = zoneOffsets.spanAt(to - 1);
    for (int span = zoneOffsets.spanAt(from - 1); span <= last; span++) {
      boolean wholeStart = span > 0 && zoneOffsets.start(span) >= from;
      long low = wholeStart ? zoneOffsets.localStart(span) : from + zoneOffsets.offset(span);
      long high = span == last ? to + zoneOffsets.offset(span) : zoneOffsets.localEnd(span);
      count += slots.count(firstPassOnly ? Math.max(low, endOfRepeat(span)) : low, high);
      if (wholeStart && startsWithMovedSlot(span)) {
        count++;
      }
    }
    return count;
  }

  /** Return whether {@code span} starts with a slot only because the gap before it has slots. */
  boolean startsWithMovedSlot(int span) {
    if (!firesAfterGap || span == 0) {
      return false;
    }
    long start = zoneOffsets.localStart(span);
    boolean skipsSome = slots.count(zoneOffsets.localEnd(span - 1), start) > 0;
    return skipsSome && slots.count(start, start + 1) == 0;
  }

  /** The local time from which {@code span} no longer repeats times of the span before. */
  private long endOfRepeat(int span) {
    long start = zoneOffsets.localStart(span);
    return span == 0 ? start : Math.max(start, zoneOffsets.localEnd(span - 1));
  }
}
