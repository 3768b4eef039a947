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

  /**
   * Return the most minutes in a row that are quiet, by the clock, if breaks up to {@code shortest}
   * minutes may be skipped by clocks that go forward.
   */
  int longest(int shortest) {
    if (quiet.isEmpty()) {
      return 0;
    }
    int free = quiet.nextClearBit(0);
    if (free >= WEEK) {
      return 2 * WEEK;
    }
    int longest = 0;
    int start = free; // of the stretch that is quiet, if longer breaks only count
    int minute = free;
    while (minute < free + 2 * WEEK) { // twice around, as a stretch may go on after Sunday
      int quietFrom = nextQuiet(minute);
      if (quietFrom - minute > shortest) {
        start = quietFrom;
      }
      minute = nextFree(quietFrom);
      longest = Math.max(longest, minute - start);
    }
    return Math.min(longest, 2 * WEEK);
  }

  private int nextQuiet(int minute) {
    int found = quiet.nextSetBit(minute % WEEK);
    int next = found < 0 ? quiet.nextSetBit(0) + WEEK : found;
    return minute - minute % WEEK + next;
  }

  private int nextFree(int minute) {
    int found = quiet.nextClearBit(minute % WEEK);
    int next = found < WEEK ? found : quiet.nextClearBit(0) + WEEK;
    return minute - minute % WEEK + next;
  }
}
