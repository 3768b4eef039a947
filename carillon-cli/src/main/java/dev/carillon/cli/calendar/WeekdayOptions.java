package dev.carillon.cli.calendar;

import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.remote.Session;
import java.time.DayOfWeek;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Reads weekdays as people type them: {@code sat,sun} or {@code mon-fri}. */
final class WeekdayOptions {
  private WeekdayOptions() {}

  static Set<DayOfWeek> read(String option, String text) {
    var days = EnumSet.noneOf(DayOfWeek.class);
    for (String part : text.split(",", -1)) {
      List<String> ends = List.of(part.strip().split("-", 2));
      DayOfWeek first = day(option, ends.get(0));
      DayOfWeek last = day(option, ends.get(ends.size() - 1));
      for (DayOfWeek day = first; ; day = day.plus(1)) {
        days.add(day);
        if (day == last) {
          break;
        }
      }
    }
    return days;
  }

  private static DayOfWeek day(String option, String text) {
    String word = text.strip().toLowerCase(Locale.ROOT);
    return Arrays.stream(DayOfWeek.values())
        .filter(day -> word.length() >= 3 && name(day).startsWith(word))
        .findFirst()
        .orElseThrow(
            () ->
                Session.wrong(
                    "%s: '%s' is no weekday; write sat, saturday, sat,sun or mon-fri",
                    option, text));
  }

  static String name(DayOfWeek day) {
    return day.name().toLowerCase(Locale.ROOT);
  }

  static ArrayNode json(Set<DayOfWeek> days) {
    ArrayNode list = Json.object().arrayNode();
    var names = new ArrayList<String>();
    days.forEach(day -> names.add(name(day)));
    names.forEach(list::add);
    return list;
  }
}
