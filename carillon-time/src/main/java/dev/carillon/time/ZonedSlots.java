package dev.carillon.time;

/**
 * The instants of local date-times in a zone, with its clock changes. Instants are epoch seconds.
 *
 * @param slots the local date-times
 * @param offsets the offsets of the zone
 * @param firesAfterGap whether slots inside a gap become one slot at its end
 * @param firstPassOnly whether only the first pass of a repeated local time counts
 */
record ZonedSlots(LocalTimes slots, Offsets offsets, boolean firesAfterGap, boolean firstPassOnly) {
  static final long NEVER = LocalTimes.NEVER;
  static final long NONE = LocalTimes.NONE;

  /** Return the first slot after {@code second}, or {@link #NEVER}. */
  long next(long second) {
    long after = Offsets.clamp(second);
    int span = offsets.spanAt(after);
    long local = after + offsets.offset(span) + 1;
    if (firstPassOnly) {
      local = Math.max(local, endOfRepeat(span));
    }
    long slot = slots.atOrAfter(local);
    while (slot >= offsets.localEnd(span)) {
      if (span == offsets.last()) {
        return NEVER;
      }
      span++;
      long start = offsets.localStart(span);
      if (slot < start) {
        if (firesAfterGap) {
          return offsets.start(span);
        }
        local = start;
        slot = slots.atOrAfter(local);
      } else if (start < local && !firstPassOnly) {
        local = start;
        slot = slots.atOrAfter(local);
      }
    }
    return slot - offsets.offset(span);
  }

  /** Return the last slot before {@code second}, or {@link #NONE}. */
  long previous(long second) {
    long before = Offsets.clamp(second) - 1;
    int span = offsets.spanAt(Offsets.clamp(before));
    long local = before + offsets.offset(span);
    long slot = slots.atOrBefore(local);
    while (slot < (firstPassOnly ? endOfRepeat(span) : offsets.localStart(span))) {
      if (span == 0) {
        return NONE;
      }
      long start = offsets.localStart(span);
      long end = offsets.localEnd(span - 1);
      if (firesAfterGap && slot >= end && slot < start) {
        return offsets.start(span);
      }
      span--;
      if (slot >= end || local < end - 1) {
        slot = slots.atOrBefore(end - 1);
      }
      local = end - 1;
    }
    return slot == NONE ? NONE : slot - offsets.offset(span);
  }

  /** Count the slots after {@code after} up to and including {@code through}. */
  long count(long after, long through) {
    long from = Offsets.clamp(after) + 1;
    long to = Offsets.clamp(through) + 1;
    if (from >= to) {
      return 0;
    }
    long count = 0;
    int last = offsets.spanAt(to - 1);
    for (int span = offsets.spanAt(from - 1); span <= last; span++) {
      boolean wholeStart = span > 0 && offsets.start(span) >= from;
      long low = wholeStart ? offsets.localStart(span) : from + offsets.offset(span);
      long high = span == last ? to + offsets.offset(span) : offsets.localEnd(span);
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
    long start = offsets.localStart(span);
    boolean skipsSome = slots.count(offsets.localEnd(span - 1), start) > 0;
    return skipsSome && slots.count(start, start + 1) == 0;
  }

  /** The local time from which {@code span} no longer repeats times of the span before. */
  private long endOfRepeat(int span) {
    long start = offsets.localStart(span);
    return span == 0 ? start : Math.max(start, offsets.localEnd(span - 1));
  }
}
