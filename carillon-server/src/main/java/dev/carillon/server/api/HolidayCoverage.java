package dev.carillon.server.api;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.stream.Collectors;

/**
 * How long the holidays of a calendar are known after those of some years were added. A year that
 * is left out ends it: to count what comes after would hide that its holidays are not known. Years
 * that are over are not missed.
 *
 * @param until the last date; empty if there was none before and no year was added
 * @param missing the years, from this one on, that are left out
 */
record HolidayCoverage(Optional<LocalDate> until, List<Integer> missing) {

  /**
   * Add {@code years} to what is known until {@code known}; if that is empty, it begins with them.
   */
  static HolidayCoverage of(Optional<LocalDate> known, SortedSet<Integer> years, LocalDate today) {
    if (years.isEmpty()) {
      return new HolidayCoverage(known, List.of());
    }
    Optional<LocalDate> until = known;
    var gaps = new ArrayList<Integer>();
    int first = known.map(last -> last.plusDays(1).getYear()).orElse(years.first());
    for (int year = first; year <= years.last(); year++) {
      if (years.contains(year)) {
        until = gaps.isEmpty() ? Optional.of(LocalDate.of(year, 12, 31)) : until;
      } else if (year >= today.getYear()) {
        gaps.add(year);
      }
    }
    var missing = new ArrayList<Integer>();
    for (int year = today.getYear(); known.isEmpty() && year < first; year++) {
      missing.add(year);
    }
    missing.addAll(gaps);
    return new HolidayCoverage(until, List.copyOf(missing));
  }

  /** Say which years are missing, if some are. */
  Optional<String> note() {
    String list = missing.stream().map(String::valueOf).collect(Collectors.joining(", "));
    return missing.isEmpty()
        ? Optional.empty()
        : Optional.of("the holidays of %s are missing; import them too".formatted(list));
  }
}
