package dev.carillon.time.business;

import java.time.DayOfWeek;
import java.util.BitSet;
import java.util.List;

/** The minutes of a week that are quiet by the clock, from Monday at 00:00. */
final class WeeklyPattern {
  static final int WEEK = 7 * 24 * 60;

  private final BitSet quiet = new BitSet(WEEK);

  WeeklyPattern(List<QuietWindow> windows) {
    for (QuietWindow window : windows) {
      for (DayOfWeek day : window.days()) {
        int midnight = (day.getValue() - 1) * 24 * 60;
        int end = midnight + window.hours().endSecond() / 60;
        quiet.set(midnight + window.hours().startSecond() / 60, Math.min(end, WEEK));
        if (end > WEEK) {
          quiet.set(0, end - WEEK);
        }
      }
    }
  }

  boolean isAlways() {
    return quiet.cardinality() == WEEK;
  }

  boolean isEmpty() {
    return quiet.isEmpty();
  }

  boolean contains(int minuteOfWeek) {
    return quiet.get(minuteOfWeek);
  }

  /** Return the most minutes in a row that are quiet, by the clock. */
  int longest() {
    int free = quiet.nextClearBit(0);
    if (free >= WEEK) {
      return WEEK;
    }
    int longest = 0;
    int start = quiet.nextSetBit(free);
    while (start >= 0) {
      int end = quiet.nextClearBit(start);
      longest = Math.max(longest, end >= WEEK ? WEEK - start + free : end - start);
      start = quiet.nextSetBit(end);
    }
    return longest;
  }
}
