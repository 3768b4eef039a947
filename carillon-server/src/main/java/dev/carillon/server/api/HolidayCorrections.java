package dev.carillon.server.api;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.Month;
import java.time.MonthDay;
import java.time.temporal.TemporalAdjusters;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Holidays that the library of holidays lacks or has no longer right, by the laws of countries. */
final class HolidayCorrections {
  private HolidayCorrections() {}

  /** Return {@code holidays} of {@code year} as the law has them. */
  static SortedMap<LocalDate, String> applied(
      String country, boolean wholeCountry, int year, SortedMap<LocalDate, String> holidays) {
    return switch (country) {
      case "US" -> wholeCountry ? federal(year, holidays) : holidays;
      case "JP" -> japanese(year, holidays);
      case "SA" -> saudi(year, holidays);
      default -> holidays;
    };
  }

  /* 5 U.S.C. 6103; the library has Columbus Day with states only. */
  private static SortedMap<LocalDate, String> federal(
      int year, SortedMap<LocalDate, String> holidays) {
    var corrected = new TreeMap<>(holidays);
    LocalDate columbus =
        LocalDate.of(year, Month.OCTOBER, 1)
            .with(TemporalAdjusters.dayOfWeekInMonth(2, DayOfWeek.MONDAY));
    if (year >= 1971) {
      corrected.putIfAbsent(columbus, "Columbus Day");
    }
    return corrected;
  }

  /* By royal decree of 2022. */
  private static SortedMap<LocalDate, String> saudi(
      int year, SortedMap<LocalDate, String> holidays) {
    var corrected = new TreeMap<>(holidays);
    if (year >= 2022) {
      corrected.putIfAbsent(LocalDate.of(year, 2, 22), "Founding Day");
    }
    return corrected;
  }

  /* The Act on National Holidays: equinoxes, the birthday of the emperor, the day after a holiday on
   * a Sunday, and a day between two holidays. */
  private static SortedMap<LocalDate, String> japanese(
      int year, SortedMap<LocalDate, String> holidays) {
    if (year < 2020 || year > 2099) {
      return holidays;
    }
    var corrected = new TreeMap<>(holidays);
    corrected.remove(MonthDay.of(12, 23).atYear(year));
    corrected.put(LocalDate.of(year, 2, 23), "Emperor's Birthday");
    corrected.put(LocalDate.of(year, 3, equinox(year, 20.8431)), "Vernal Equinox Day");
    corrected.put(LocalDate.of(year, 9, equinox(year, 23.2488)), "Autumnal Equinox Day");
    List<LocalDate> named = List.copyOf(corrected.keySet());
    for (LocalDate date : named) {
      if (date.getDayOfWeek() == DayOfWeek.SUNDAY) {
        LocalDate substitute = date.plusDays(1);
        while (named.contains(substitute)) {
          substitute = substitute.plusDays(1);
        }
        corrected.putIfAbsent(substitute, "Substitute Holiday");
      }
      LocalDate between = date.plusDays(1);
      if (named.contains(date.plusDays(2))
          && !named.contains(between)
          && between.getDayOfWeek() != DayOfWeek.SUNDAY) {
        corrected.putIfAbsent(between, "Citizens' Holiday");
      }
    }
    return corrected;
  }

  /* The usual approximation, right for 1980 to 2099. */
  private static int equinox(int year, double of1980) {
    int since = year - 1980;
    return (int) Math.floor(of1980 + 0.242194 * since - Math.floorDiv(since, 4));
  }
}
