package dev.carillon.time;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The naive reading of the day, month, weekday and year fields: which dates match. */
final class ReferenceDays {
  private static final Set<Integer> ALL_YEARS = ReferenceField.YEAR.values("*");

  private final boolean anyDay;
  private final Set<Integer> plainDays = new TreeSet<>();
  private final List<String> specialDays = new ArrayList<>();
  private final boolean anyWeekday;
  private final Set<Integer> plainWeekdays = new TreeSet<>();
  private final List<String> specialWeekdays = new ArrayList<>();
  private final boolean bothMustMatch;
  private final Set<Integer> months;
  private final Set<Integer> years;
  private final Map<YearMonth, Set<LocalDate>> datesOfMonth = new HashMap<>();

  ReferenceDays(String dayField, String monthField, String weekdayField, String yearField) {
    anyDay = dayField.equals("*") || dayField.equals("?");
    for (String term : anyDay ? new String[0] : dayField.split(",", -1)) {
      if (term.contains("L") || term.contains("W")) {
        specialDays.add(term);
      } else {
        plainDays.addAll(ReferenceField.DAY.term(term));
      }
    }
    bothMustMatch = weekdayField.startsWith("+");
    String weekdays = bothMustMatch ? weekdayField.substring(1) : weekdayField;
    anyWeekday = weekdays.equals("*") || weekdays.equals("?");
    for (String term : anyWeekday ? new String[0] : weekdays.split(",", -1)) {
      if (term.endsWith("L") || term.contains("#")) {
        specialWeekdays.add(term);
      } else {
        plainWeekdays.addAll(ReferenceField.WEEKDAY.term(term));
      }
    }
    months = ReferenceField.MONTH.values(monthField);
    years = yearField.equals("*") ? ALL_YEARS : ReferenceField.YEAR.values(yearField);
  }

  boolean contain(LocalDate date) {
    return datesOfMonth.computeIfAbsent(YearMonth.from(date), this::dates).contains(date);
  }

  boolean containAnyOf(YearMonth month) {
    return !datesOfMonth.computeIfAbsent(month, this::dates).isEmpty();
  }

  private Set<LocalDate> dates(YearMonth month) {
    if (!years.contains(month.getYear()) || !months.contains(month.getMonthValue())) {
      return Set.of();
    }
    Set<LocalDate> dates = new TreeSet<>();
    for (int day = 1; day <= month.lengthOfMonth(); day++) {
      if (matches(month.atDay(day))) {
        dates.add(month.atDay(day));
      }
    }
    return dates;
  }

  private boolean matches(LocalDate date) {
    boolean day = anyDay || matchesDay(date);
    boolean weekday = anyWeekday || matchesWeekday(date);
    boolean either = !anyDay && !anyWeekday && !bothMustMatch;
    return either ? day || weekday : day && weekday;
  }

  private boolean matchesDay(LocalDate date) {
    return plainDays.contains(date.getDayOfMonth())
        || specialDays.stream().anyMatch(term -> matchesSpecialDay(term, date));
  }

  private static boolean matchesSpecialDay(String term, LocalDate date) {
    YearMonth month = YearMonth.from(date);
    boolean nearestWorkday = term.endsWith("W");
    String plain = nearestWorkday ? term.substring(0, term.length() - 1) : term;
    int day;
    if (plain.equals("L")) {
      day = month.lengthOfMonth();
    } else if (plain.startsWith("L-")) {
      day = month.lengthOfMonth() - Integer.parseInt(plain.substring(2));
    } else {
      day = Integer.parseInt(plain);
    }
    if (day < 1 || day > month.lengthOfMonth()) {
      return false;
    }
    LocalDate named = month.atDay(day);
    return date.equals(nearestWorkday ? nearestWorkday(named) : named);
  }

  private static LocalDate nearestWorkday(LocalDate date) {
    for (int distance = 0; distance <= 2; distance++) {
      for (LocalDate near : new LocalDate[] {date.minusDays(distance), date.plusDays(distance)}) {
        boolean workday =
            near.getDayOfWeek() != DayOfWeek.SATURDAY && near.getDayOfWeek() != DayOfWeek.SUNDAY;
        if (workday && near.getMonth() == date.getMonth()) {
          return near;
        }
      }
    }
    throw new AssertionError("no workday near " + date);
  }

  private boolean matchesWeekday(LocalDate date) {
    return plainWeekdays.stream().anyMatch(weekday -> is(weekday, date))
        || specialWeekdays.stream().anyMatch(term -> matchesSpecialWeekday(term, date));
  }

  private static boolean matchesSpecialWeekday(String term, LocalDate date) {
    int end = term.contains("#") ? term.indexOf('#') : term.length() - 1;
    String weekday = term.substring(0, end);
    if (!is(ReferenceField.WEEKDAY.value(weekday), date)) {
      return false;
    }
    if (term.endsWith("L")) {
      return date.plusDays(7).getMonth() != date.getMonth();
    }
    int nth = Integer.parseInt(term.substring(term.indexOf('#') + 1));
    return (date.getDayOfMonth() - 1) / 7 + 1 == nth;
  }

  /** Say whether {@code date} is the given weekday, where both 0 and 7 are Sunday. */
  private static boolean is(int weekday, LocalDate date) {
    return date.getDayOfWeek().getValue() % 7 == weekday % 7;
  }
}
