package dev.carillon.time.business;

import java.time.LocalDate;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The business days from 1970 to 2199 as a bit set with counts, so that a day is found and days are
 * counted without walking. Days are epoch days.
 */
final class BusinessDays {
  /** No such day from 1970 to 2199. */
  static final long NONE = Long.MIN_VALUE;

  static final LocalDate FIRST = LocalDate.EPOCH;
  static final LocalDate LAST = LocalDate.of(2199, 12, 31);
  static final int END = (int) LAST.toEpochDay() + 1;

  private final BitSet days;
  /* days before word w */
  private final int[] ranks;
  private final long[] words;

  /* The longest stretch of n business days, by n; 0 if not computed yet. A benign race: whoever
   * computes it writes the same number. */
  private int[] longestSteps = new int[8];

  /** Take the days of {@code days}, which must not be changed any more. */
  BusinessDays(BitSet days) {
    this.days = days;
    this.words = Arrays.copyOf(days.toLongArray(), (END >> 6) + 1);
    this.ranks = new int[words.length + 1];
    for (int word = 0; word < words.length; word++) {
      ranks[word + 1] = ranks[word] + Long.bitCount(words[word]);
    }
  }

  BitSet copy() {
    return (BitSet) days.clone();
  }

  boolean contains(long day) {
    return day >= 0 && day < END && (words[(int) day >> 6] & 1L << day) != 0;
  }

  /** Return the first business day at or after {@code day}, or {@link #NONE}. */
  long atOrAfter(long day) {
    if (day >= END) {
      return NONE;
    }
    int found = days.nextSetBit((int) Math.max(day, 0));
    return found < 0 ? NONE : found;
  }

  /** Return the last business day at or before {@code day}, or {@link #NONE}. */
  long atOrBefore(long day) {
    int found = day < 0 ? -1 : days.previousSetBit((int) Math.min(day, END - 1));
    return found < 0 ? NONE : found;
  }

  /** Count all business days. */
  int size() {
    return ranks[ranks.length - 1];
  }

  /** Count the business days before {@code day}. */
  int before(long day) {
    int index = (int) Math.max(0, Math.min(day, END));
    long lower = words[index >> 6] & ~(-1L << index);
    return ranks[index >> 6] + Long.bitCount(lower);
  }

  /** Return the business day with {@code number} others before it, or {@link #NONE}. */
  long get(long number) {
    if (number < 0 || number >= size()) {
      return NONE;
    }
    int word = Arrays.binarySearch(ranks, (int) number);
    if (word < 0) {
      word = -word - 2;
    }
    while (ranks[word + 1] <= number) { // words without days
      word++;
    }
    long rest = words[word];
    for (int skipped = ranks[word]; skipped < number; skipped++) {
      rest &= rest - 1;
    }
    return ((long) word << 6) + Long.numberOfTrailingZeros(rest);
  }

  /** Return the n-th business day after {@code day}, before it if negative, or {@link #NONE}. */
  long plus(long day, int n) {
    if (n > 0) {
      return get((long) before(day + 1) + n - 1);
    }
    return n == 0 ? day : get((long) before(day) + n);
  }

  /** Return the most days in a row that are no business days. */
  int longestDaysOff() {
    long first = atOrAfter(0);
    long last = atOrBefore(END);
    return (int) Math.max(longestSteps(1) - 1, Math.max(first, END - 1 - last));
  }

  /** Return the most days from one business day to the n-th after it. */
  int longestSteps(int n) {
    if (n == 0) {
      return 0;
    }
    int[] known = longestSteps;
    if (n < known.length && known[n] > 0) {
      return known[n];
    }
    int longest = findLongestSteps(n);
    int[] more = Arrays.copyOf(known, Math.max(known.length, n + 1));
    more[n] = longest;
    longestSteps = more;
    return longest;
  }

  private int findLongestSteps(int n) {
    var recent = new int[n + 1];
    int count = 0;
    int longest = 0;
    for (int day = days.nextSetBit(0); day >= 0; day = days.nextSetBit(day + 1)) {
      if (count >= n) {
        longest = Math.max(longest, day - recent[(count - n) % (n + 1)]);
      }
      recent[count % (n + 1)] = day;
      count++;
    }
    return longest;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof BusinessDays that && days.equals(that.days);
  }

  @Override
  public int hashCode() {
    return days.hashCode();
  }
}
