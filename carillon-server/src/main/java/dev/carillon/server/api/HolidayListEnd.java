package dev.carillon.server.api;

import de.focus_shift.jollyday.core.Holiday;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntFunction;

/**
 * The end of a list of dates. The library computes most holidays for every year, but lists those by
 * the moon of some countries year by year. After its last year it leaves them out without a word.
 *
 * @param year the last year of which all are listed
 * @param names the holidays of which some are not
 */
record HolidayListEnd(int year, List<String> names) {
  private static final int FIRST_YEAR = 2000;
  private static final int YEARS_IN_A_ROW = 5;

  /* A year of twelve moons is eleven days shorter than one of the sun, one of thirteen is nineteen longer. A
   * holiday that is observed on another day is off by a few. */
  private static final int LEAST_SHIFT = 6;
  /* These move with Easter, and are computed. */
  private static final String COMPUTED = "christian.";

  /** Return the end of lists before {@code last}, if some end by then. */
  static Optional<HolidayListEnd> before(
      int last, IntFunction<? extends Iterable<Holiday>> ofYear) {
    var dates = new HashMap<String, TreeMap<Integer, LocalDate>>();
    var names = new HashMap<String, String>();
    for (int year = FIRST_YEAR; year <= last; year++) {
      for (Holiday holiday : ofYear.apply(year)) {
        String key = holiday.getPropertiesKey();
        dates
            .computeIfAbsent(key, any -> new TreeMap<>())
            .merge(year, holiday.getDate(), (one, other) -> one.isBefore(other) ? one : other);
        names.putIfAbsent(key, holiday.getDescription(Locale.ENGLISH));
      }
    }
    var ended = new TreeSet<String>();
    int end = last;
    for (Map.Entry<String, TreeMap<Integer, LocalDate>> listed : dates.entrySet()) {
      int until = listed.getValue().lastKey();
      if (until < last && !listed.getKey().startsWith(COMPUTED) && followsMoon(listed.getValue())) {
        ended.add(names.getOrDefault(listed.getKey(), listed.getKey()));
        end = Math.min(end, until);
      }
    }
    return ended.isEmpty()
        ? Optional.empty()
        : Optional.of(new HolidayListEnd(end, List.copyOf(ended)));
  }

  private static boolean followsMoon(TreeMap<Integer, LocalDate> dates) {
    for (int year = dates.lastKey() - YEARS_IN_A_ROW + 2; year <= dates.lastKey(); year++) {
      LocalDate before = dates.get(year - 1);
      LocalDate date = dates.get(year);
      if (before == null
          || date == null
          || Math.abs(date.getDayOfYear() - before.getDayOfYear()) < LEAST_SHIFT) {
        return false;
      }
    }
    return true;
  }

  /** Say so, with the cure. */
  String note() {
    var all = new ArrayList<>(names);
    String last = all.remove(all.size() - 1);
    String text = all.isEmpty() ? last : String.join(", ", all) + " and " + last;
    return "%s %s known until %s only; add those of later years, then set coverageUntil"
        .formatted(text, all.isEmpty() ? "is" : "are", year);
  }
}
