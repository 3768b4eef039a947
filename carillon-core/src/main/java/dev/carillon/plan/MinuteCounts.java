package dev.carillon.plan;

import java.util.Arrays;

/** How many slots lie in which minutes of a period, for minutes that have some. */
final class MinuteCounts {
  private int[] minutes = new int[16];
  private long[] counts = new long[16];
  private int size;

  void add(int minute, long count) {
    if (minute < 0 || count == 0) {
      return;
    }
    if (size == minutes.length) {
      minutes = Arrays.copyOf(minutes, size * 2);
      counts = Arrays.copyOf(counts, size * 2);
    }
    minutes[size] = minute;
    counts[size] = count;
    size++;
  }

  int size() {
    return size;
  }

  int minute(int index) {
    return minutes[index];
  }

  long count(int index) {
    return counts[index];
  }

  void clear() {
    size = 0;
  }

  MinuteCounts copy() {
    var copy = new MinuteCounts();
    copy.minutes = Arrays.copyOf(minutes, Math.max(1, size));
    copy.counts = Arrays.copyOf(counts, Math.max(1, size));
    copy.size = size;
    return copy;
  }
}
