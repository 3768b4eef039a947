package dev.carillon.time;

/**
 * The day-of-week field. All parts are bit sets in which bit 0 is Sunday.
 *
 * @param days weekdays, whichever week
 * @param nth {@code d#k}: seven bits for the first such day of the month, seven for the second, …
 * @param last {@code dL}: the last such day of the month
 */
record WeekDays(int days, long nth, int last) {
  private static final int WEEK = 0b111_1111;

  static final WeekDays EVERY = new WeekDays(WEEK, 0, 0);

  /** A seven-bit set times this is the set for six weeks on end. */
  private static final long SIX_WEEKS = 1L | 1L << 7 | 1L << 14 | 1L << 21 | 1L << 28 | 1L << 35;

  boolean plain() {
    return nth == 0 && last == 0;
  }

  /** The weekdays of six weeks on end, of which the first begins with Sunday. */
  long sixWeeks() {
    return days * SIX_WEEKS;
  }

  /** Return the matching days of a month as a bit set; days past its end may be set, too. */
  int in(int firstWeekday, int length) {
    int found = (int) (sixWeeks() >>> firstWeekday);
    return plain() ? found : found | numbered(firstWeekday) | lastOnes(firstWeekday, length);
  }

  /** The n-th such weekday always lies in the n-th block of seven days. */
  private int numbered(int firstWeekday) {
    int found = 0;
    for (int begin = 0; begin < 35; begin += 7) {
      found |= block((int) (nth >>> begin) & WEEK, firstWeekday) << begin;
    }
    return found;
  }

  private int lastOnes(int firstWeekday, int length) {
    int begin = length - 7;
    return block(last, (firstWeekday + begin) % 7) << begin;
  }

  /** The days among seven on end, from {@code firstWeekday} on, that are in {@code weekdays}. */
  private static int block(int weekdays, int firstWeekday) {
    return (weekdays | weekdays << 7) >>> firstWeekday & WEEK;
  }
}
