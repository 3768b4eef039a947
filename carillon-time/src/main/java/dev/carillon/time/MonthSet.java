package dev.carillon.time;

import java.util.BitSet;

/**
 * The month and year fields together: a set of the months that {@link MonthTable} numbers.
 *
 * @param names months by name; bit 0 is January
 * @param years bit 0 is 1970; never modified
 * @param everyYear whether all years are in the set, the usual case
 * @param every whether all months of all years are
 */
record MonthSet(int names, BitSet years, boolean everyYear, boolean every) {
  private static final int EVERY_NAME = 0xfff;
  private static final int YEARS = MonthTable.COUNT / 12;
  private static final MonthSet EVERY = new MonthSet(EVERY_NAME, allYears(), true, true);

  static MonthSet of(int names, BitSet years) {
    boolean everyYear = years.cardinality() == YEARS;
    boolean every = everyYear && names == EVERY_NAME;
    return every ? EVERY : new MonthSet(names, years, everyYear, false);
  }

  private static BitSet allYears() {
    var years = new BitSet(YEARS);
    years.set(0, YEARS);
    return years;
  }

  boolean contains(int month) {
    return every || ((names >>> month % 12 & 1) != 0 && (everyYear || years.get(month / 12)));
  }

  /** Return the first month at or after {@code month}, or {@link MonthTable#COUNT}. */
  int atOrAfter(int month) {
    if (every || month == MonthTable.COUNT) {
      return month;
    }
    int year = month / 12;
    int rest = everyYear || years.get(year) ? names & -1 << month % 12 : 0;
    if (rest == 0) {
      year = everyYear ? year + 1 : years.nextSetBit(year + 1);
      rest = names;
    }
    return year < 0 || year == YEARS
        ? MonthTable.COUNT
        : year * 12 + Integer.numberOfTrailingZeros(rest);
  }

  /** Return the last month at or before {@code month}, or a negative number. */
  int atOrBefore(int month) {
    if (every || month < 0) {
      return month;
    }
    int year = month / 12;
    int rest = everyYear || years.get(year) ? names & ((2 << month % 12) - 1) : 0;
    if (rest == 0) {
      year = year == 0 ? -1 : years.previousSetBit(year - 1);
      rest = names;
    }
    return year < 0 ? -1 : year * 12 + 31 - Integer.numberOfLeadingZeros(rest);
  }
}
