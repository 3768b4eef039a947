package dev.carillon.time;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** The naive reading of one numeric cron field: a range of numbers, and names for them. */
record ReferenceField(int min, int max, List<String> names, int firstName) {
  static final ReferenceField SECOND = numbers(0, 59);
  static final ReferenceField MINUTE = numbers(0, 59);
  static final ReferenceField HOUR = numbers(0, 23);
  static final ReferenceField DAY = numbers(1, 31);
  static final ReferenceField YEAR = numbers(1970, 2199);
  static final ReferenceField MONTH =
      new ReferenceField(
          1,
          12,
          List.of(
              "JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"),
          1);
  static final ReferenceField WEEKDAY =
      new ReferenceField(0, 7, List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"), 0);

  private static ReferenceField numbers(int min, int max) {
    return new ReferenceField(min, max, List.of(), 0);
  }

  /** Return the number that {@code text} stands for. */
  int value(String text) {
    int name = names.indexOf(text.toUpperCase(Locale.ROOT));
    return name >= 0 ? name + firstName : Integer.parseInt(text);
  }

  /** Return every number that a list of terms allows. */
  Set<Integer> values(String list) {
    Set<Integer> values = new TreeSet<>();
    for (String term : list.split(",", -1)) {
      values.addAll(term(term));
    }
    return values;
  }

  /** Return every number that one of {@code *}, {@code v}, {@code a-b}, with or without step. */
  Set<Integer> term(String term) {
    String[] parts = term.split("/", -1);
    int step = parts.length == 2 ? Integer.parseInt(parts[1]) : 1;
    int from;
    int to;
    if (parts[0].equals("*")) {
      from = min;
      to = max;
    } else if (parts[0].contains("-")) {
      String[] ends = parts[0].split("-", -1);
      from = value(ends[0]);
      to = value(ends[1]);
      if (equals(WEEKDAY) && to == 0) {
        to = 7;
      }
    } else {
      from = value(parts[0]);
      to = parts.length == 2 ? max : from;
    }
    Set<Integer> values = new TreeSet<>();
    for (int value = from; value <= to; value += step) {
      values.add(value);
    }
    return values;
  }
}
