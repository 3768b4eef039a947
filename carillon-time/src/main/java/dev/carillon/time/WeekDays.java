package dev.carillon.time;

/**
 * The day-of-week field. All parts are bit sets in which bit 0 is Sunday.
 *
 * @param days weekdays of every week
 * @param nth {@code d#k}: seven bits for the first such day of the month, seven for the second, …
 * @param last {@code dL}: the last such day of the month
 */
record WeekDays(int days, long nth, int last) {
  private static final int WEEK = 0b111_1111;

  static final WeekDays EVERY = new WeekDays(WEEK, 0, 0);

  /** A seven-bit set times this is the set for six consecutive weeks. */
  private static final long SIX_WEEKS = 1L | 1L << 7 | 1L << 14 | 1L << 21 | 1L << 28 | 1L << 35;

  boolean plain() {
    return nth == 0 && last == 0;
  }

  /** The weekdays of six consecutive weeks that begin on Sunday. */
  long sixWeeks() {
    return days * SIX_WEEKS;
  }

  /** Return the matching days of a month as a bit set; days past its end may be set, too. */
  int in(int firstWeekday, int length) {
    int found = (int) (sixWeeks() >>> firstWeekday);
    return plain() ? found : found | nthDays(firstWeekday) | lastDays(firstWeekday, length);
  }

  /** The n-th such weekday always lies in the n-th block of seven days. */
  private int nthDays(int firstWeekday) {
    int found = 0;
    for (int begin = 0; begin < 35; begin += 7) {
      found |= block((int) (nth >>> begin) & WEEK, firstWeekday) << begin;
    }
    return found;
  }

  private int lastDays(int firstWeekday, int length) {
    int begin = length - 7;
    return block(last, (firstWeekday + begin) % 7) << begin;
  }

  /** The days of {@code weekdays} among seven consecutive days from {@code firstWeekday}. */
  private static int block(int weekdays, int firstWeekday) {
    return (weekdays | weekdays << 7) >>> firstWeekday & WEEK;
  }
}
