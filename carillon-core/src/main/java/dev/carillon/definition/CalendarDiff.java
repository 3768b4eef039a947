package dev.carillon.definition;

import dev.carillon.model.CalendarDefinition;
import dev.carillon.model.QuietHoursDefinition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tells in which fields two calendars, or two quiet hours, differ. */
public final class CalendarDiff {
  private static final Map<String, String> LISTS =
      Map.of(
          "holidays", "date",
          "recurringHolidays", "day",
          "extraWorkingDays", "date",
          "halfDays", "date");

  private CalendarDiff() {}

  /** Return the changes of a calendar, a day of a list as {@code holidays/2026-12-25}. */
  public static List<FieldChange> between(CalendarDefinition before, CalendarDefinition after) {
    return between(
        CalendarJson.write(before, JsonStyle.FULL), CalendarJson.write(after, JsonStyle.FULL));
  }

  /** Return the changes of quiet hours. */
  public static List<FieldChange> between(QuietHoursDefinition before, QuietHoursDefinition after) {
    return between(
        QuietHoursJson.write(before, JsonStyle.FULL), QuietHoursJson.write(after, JsonStyle.FULL));
  }

  private static List<FieldChange> between(
      Map<String, @Nullable Object> from, Map<String, @Nullable Object> to) {
    var changes = new ArrayList<FieldChange>();
    for (String field : union(from.keySet(), to.keySet())) {
      if (LISTS.containsKey(field)) {
        days(field, byDay(field, from.get(field)), byDay(field, to.get(field)), changes);
      } else if (!Objects.equals(from.get(field), to.get(field))) {
        changes.add(new FieldChange(field, from.get(field), to.get(field)));
      }
    }
    return changes;
  }

  private static void days(
      String field, Map<String, Object> from, Map<String, Object> to, List<FieldChange> changes) {
    union(from.keySet(), to.keySet()).stream()
        .sorted()
        .filter(day -> !Objects.equals(from.get(day), to.get(day)))
        .forEach(
            day -> changes.add(new FieldChange(field + "/" + day, from.get(day), to.get(day))));
  }

  private static Map<String, Object> byDay(String field, @Nullable Object list) {
    var days = new LinkedHashMap<String, Object>();
    if (list instanceof List<?> items) {
      for (Object item : items) {
        if (item instanceof Map<?, ?> day) {
          days.put(String.valueOf(day.get(LISTS.get(field))), day);
        }
      }
    }
    return days;
  }

  private static Set<String> union(Set<String> some, Set<String> others) {
    var all = new LinkedHashSet<>(some);
    all.addAll(others);
    return all;
  }
}
