package dev.carillon.server.api;

import de.focus_shift.jollyday.core.CalendarHierarchy;
import de.focus_shift.jollyday.core.Holiday;
import de.focus_shift.jollyday.core.HolidayManager;
import de.focus_shift.jollyday.core.HolidayType;
import de.focus_shift.jollyday.core.ManagerParameters;
import dev.carillon.server.web.Truncated;
import dev.carillon.time.InvalidValueException;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.Year;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The public holidays of countries and their regions, as the library Jollyday knows them. They are
 * copied when they are imported and not looked at again.
 */
final class HolidaySource {
  private static final Set<String> FRIDAY_AND_SATURDAY =
      Set.of(
          "BD", "BH", "DZ", "EG", "IL", "IQ", "JO", "KW", "LY", "MV", "OM", "QA", "SA", "SD", "SY",
          "YE");
  private static final int SHOWN = 300;

  private HolidaySource() {}

  /** Return the codes of all countries, in order. */
  static Set<String> countries() {
    return new TreeSet<>(HolidayManager.getSupportedCalendarCodes());
  }

  /** Return the English name of a country. */
  static String name(String country) {
    return manager(country).getCalendarHierarchy().getDescription(Locale.ENGLISH);
  }

  /** Return the codes of the regions of a country, such as {@code BY} or {@code BY-AG}. */
  static Set<String> regions(String country) {
    return regions(manager(country).getCalendarHierarchy(), "");
  }

  private static Set<String> regions(CalendarHierarchy parent, String prefix) {
    var regions = new TreeSet<String>();
    parent
        .getChildren()
        .forEach(
            (id, child) -> {
              String code = prefix + id.toUpperCase(Locale.ROOT);
              regions.add(code);
              regions.addAll(regions(child, code + "-"));
            });
    return regions;
  }

  /** Return the holidays of a country, or of a region of it, in these years. */
  static HolidayImport holidays(String country, Optional<String> region, SortedSet<Integer> years) {
    String code = country.strip().toUpperCase(Locale.ROOT);
    if (!countries().contains(code)) {
      throw new InvalidValueException(
          "country", "'%s' is not known; %s".formatted(Truncated.of(country), known(countries())));
    }
    Optional<String> part = region.map(text -> text.strip().toUpperCase(Locale.ROOT));
    Set<String> regions = regions(code);
    if (part.isPresent() && !regions.contains(part.get())) {
      throw new InvalidValueException(
          "region",
          "'%s' is no region of %s; %s"
              .formatted(
                  Truncated.of(region.orElse("")),
                  code,
                  regions.isEmpty() ? "leave it out, it has none" : known(regions)));
    }
    var holidays = new TreeMap<LocalDate, String>();
    var notes = new ArrayList<String>();
    for (int year : years) {
      of(code, part, year).forEach((date, name) -> holidays.merge(date, name, HolidaySource::both));
    }
    Optional<HolidayListEnd> end =
        HolidayListEnd.before(years.last(), year -> ofYear(code, part, year));
    end.ifPresent(found -> notes.add(found.note()));
    if (holidays.isEmpty()) {
      notes.add("it has no public holidays in these years, as far as is known");
    }
    return new HolidayImport(
        "the public holidays of %s%s in %s"
            .formatted(
                code,
                part.map("-"::concat).orElse(""),
                years.stream().map(String::valueOf).collect(Collectors.joining(", "))),
        holidays,
        new TreeMap<>(),
        years,
        end.map(HolidayListEnd::year),
        FRIDAY_AND_SATURDAY.contains(code)
            ? Optional.of(EnumSet.of(DayOfWeek.FRIDAY, DayOfWeek.SATURDAY))
            : Optional.empty(),
        0,
        List.copyOf(notes));
  }

  /* A holiday of the next year may be observed in this one. */
  private static Map<LocalDate, String> of(String code, Optional<String> region, int year) {
    var holidays = new TreeMap<LocalDate, String>();
    for (int asked = year - 1; asked <= year + 1; asked++) {
      for (Holiday holiday : ofYear(code, region, asked)) {
        if (holiday.getDate().getYear() == year) {
          holidays.merge(
              holiday.getDate(), holiday.getDescription(Locale.ENGLISH), HolidaySource::both);
        }
      }
    }
    return HolidayCorrections.applied(code, region.isEmpty(), year, holidays);
  }

  private static Set<Holiday> ofYear(String code, Optional<String> region, int year) {
    String[] parts =
        region.map(text -> text.toLowerCase(Locale.ROOT).split("-", -1)).orElse(new String[0]);
    return manager(code).getHolidays(Year.of(year), HolidayType.PUBLIC_HOLIDAY, parts);
  }

  private static String both(String one, String other) {
    return one.equals(other) ? one : one + ", " + other;
  }

  private static HolidayManager manager(String country) {
    return HolidayManager.getInstance(ManagerParameters.create(country.toLowerCase(Locale.ROOT)));
  }

  private static String known(Set<String> codes) {
    String all = String.join(", ", codes);
    return "known are " + (all.length() <= SHOWN * 10 ? all : all.substring(0, SHOWN) + "…");
  }
}
