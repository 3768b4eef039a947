package dev.carillon.time;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes random expressions over the whole dialect, most of them awake when clocks change. */
final class Grammar {
  private static final List<String> MONTHS = ReferenceField.MONTH.names();
  private static final List<String> WEEKDAYS = ReferenceField.WEEKDAY.names();
  private static final List<String> MACROS =
      List.of("@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly");

  private final TimeGen any;
  private final LocalDateTime aim;
  private final boolean aimsAtDate;

  Grammar(TimeGen any) {
    this(any, LocalDateTime.of(1970, 1, 1, 1, 0), false);
  }

  private Grammar(TimeGen any, LocalDateTime aim, boolean aimsAtDate) {
    this.any = any;
    this.aim = aim;
    this.aimsAtDate = aimsAtDate;
  }

  /** Return a grammar whose expressions mostly match near {@code aim}. */
  static Grammar aimedAt(LocalDateTime aim, TimeGen any) {
    return new Grammar(any, aim, any.percent(80));
  }

  /** Write a valid expression without {@code H}; it may be one that never fires. */
  String expression() {
    if (any.percent(2)) {
      return any.oneOf(MACROS);
    }
    int fields = any.percent(60) ? 5 : any.percent(70) ? 6 : 7;
    boolean fine = fields > 5 && any.percent(25);
    String date = aimsAtDate ? dateNearAim() : join(day(), month(), weekday());
    String text = join(minute(fine), hour(), date);
    if (fields > 5) {
      text = join(second(fine), text);
    }
    return fields == 7 ? join(text, year()) : text;
  }

  /** Write a valid expression in which {@code H} may stand for any field but the year. */
  String expressionWithHash() {
    return any.percent(50)
        ? expression()
        : join(
            orHash(second(false), 0, 59),
            orHash(minute(false), 0, 59),
            orHash(hour(), 0, 23),
            orHash(day(), 1, 28),
            orHash(month(), 1, 12),
            orHash(weekday(), 0, 6));
  }

  private String join(String... fields) {
    return Stream.of(fields)
        .collect(Collectors.joining(any.oneOf(" ", " ", " ", " ", "  ", "\t", " \t ")));
  }

  private String second(boolean fine) {
    return fine ? terms(() -> any.number(0, 59), 0, 59) : number(any.oneOf(0, 0, 30, 59, 7));
  }

  private String minute(boolean single) {
    if (single) {
      return number(any.number(0, 59));
    }
    Supplier<Integer> minute =
        () -> any.percent(60) ? any.oneOf(0, 15, 30, 45, 59, 1) : any.number(0, 59);
    return terms(minute, 0, 59);
  }

  private String hour() {
    return any.percent(12)
        ? any.oneOf("*", "*", "*/1", "0-23", "0/1", "0-11,12-23")
        : terms(() -> any.percent(75) ? hourNearAim() : any.number(0, 23), 0, 23);
  }

  private int hourNearAim() {
    return (aim.getHour() + any.number(23, 26)) % 24;
  }

  private String dateNearAim() {
    LocalDate date = aim.toLocalDate().plusDays(any.number(-1, 1));
    int day = date.getDayOfMonth();
    String weekday = WEEKDAYS.get(date.getDayOfWeek().getValue() % 7);
    return switch (any.number(0, 9)) {
      case 0 -> join(number(day), number(date.getMonthValue()), "*");
      case 1 -> join("?", "*", named(weekday));
      case 2 -> join("*", "*", weekday + "#" + ((day - 1) / 7 + 1));
      case 3 -> join("*", "*", weekday + "L");
      case 4 -> join(any.oneOf("L", "LW", day + "W", "L-1"), "*", "*");
      case 5 -> join(number(day), "*", "+" + weekday);
      default -> join("*", "*", "*");
    };
  }

  private String day() {
    if (any.percent(45)) {
      return any.oneOf("*", "*", "*", "?");
    }
    return any.percent(50)
        ? terms(() -> any.number(1, 31), 1, 31)
        : list(() -> any.percent(70) ? specialDay() : number(any.number(1, 31)));
  }

  private String specialDay() {
    return switch (any.number(0, 4)) {
      case 0 -> "L";
      case 1 -> "L-" + any.number(1, 30);
      case 2 -> "LW";
      case 3 -> any.number(1, 31) + "W";
      default -> "L-" + any.number(1, 30) + "W";
    };
  }

  private String month() {
    if (any.percent(60)) {
      return "*";
    }
    return any.percent(60)
        ? terms(() -> any.number(1, 12), 1, 12)
        : list(() -> namedRange(any.number(1, 12), any.number(1, 12)));
  }

  private String namedRange(int one, int other) {
    int from = Math.min(one, other);
    int to = Math.max(one, other);
    String name = named(MONTHS.get(from - 1));
    return switch (any.number(0, 2)) {
      case 0 -> name;
      case 1 -> name + "-" + any.oneOf(named(MONTHS.get(to - 1)), number(to));
      default -> name + "-" + named(MONTHS.get(to - 1)) + "/" + any.number(1, 12);
    };
  }

  private String weekday() {
    if (any.percent(50)) {
      return any.oneOf("*", "*", "*", "?");
    }
    String plain =
        any.percent(40)
            ? terms(() -> any.number(0, 7), 0, 7)
            : list(() -> any.percent(50) ? namedWeekdays() : specialWeekday());
    return any.percent(25) ? "+" + plain : plain;
  }

  private String namedWeekdays() {
    int from = any.number(0, 6);
    int to = any.number(from, 7);
    String first = any.oneOf(number(from), named(WEEKDAYS.get(from)));
    String last =
        to % 7 == 0
            ? any.oneOf("0", "7", named("SUN"))
            : any.oneOf(number(to), named(WEEKDAYS.get(to)));
    return switch (any.number(0, 2)) {
      case 0 -> first;
      case 1 -> first + "-" + last;
      default -> first + "-" + last + "/" + any.number(1, 7);
    };
  }

  private String specialWeekday() {
    String weekday = any.oneOf(String.valueOf(any.number(0, 7)), named(any.oneOf(WEEKDAYS)));
    return weekday + any.oneOf("#1", "#2", "#3", "#4", "#5", "L", "#L");
  }

  private String year() {
    return any.oneOf(
        "*", "*/2", "2020-2040", "1970-2199", "1970-2199/3", "2000/4", "2024,2026-2030,2100");
  }

  private String orHash(String field, int least, int most) {
    if (any.percent(50)) {
      return field;
    }
    int from = any.number(least, most);
    int to = any.number(from, most);
    String hash = any.percent(50) ? "H" : "H(" + from + "-" + to + ")";
    return any.percent(60)
        ? hash
        : hash + "/" + any.number(1, Math.max(1, Math.min(most, to - from)));
  }

  /** Write one to four plain terms: any value, one value, a range, each with or without a step. */
  private String terms(Supplier<Integer> value, int least, int most) {
    return list(() -> term(value, least, most));
  }

  private String term(Supplier<Integer> value, int least, int most) {
    int one = value.get();
    int other = value.get();
    String range = number(Math.min(one, other)) + "-" + number(Math.max(one, other));
    return switch (any.number(0, 19)) {
      case 0 -> "*";
      case 1, 2 -> "*/" + number(step(most));
      case 3, 4, 5 -> range;
      case 6, 7 -> range + "/" + number(step(most));
      case 8 -> number(one) + "/" + number(step(most));
      case 9 -> number(any.oneOf(least, most));
      default -> number(one);
    };
  }

  private int step(int most) {
    return any.percent(70) ? any.number(1, Math.min(most, 20)) : any.number(1, most);
  }

  private String list(Supplier<String> item) {
    int items = any.percent(65) ? 1 : any.number(2, 4);
    return Stream.generate(item).limit(items).collect(Collectors.joining(","));
  }

  private String number(int value) {
    return any.percent(95) ? String.valueOf(value) : "0" + value;
  }

  private String named(String name) {
    return any.percent(60)
        ? name
        : any.percent(50)
            ? name.toLowerCase(Locale.ROOT)
            : name.charAt(0) + name.substring(1).toLowerCase(Locale.ROOT);
  }
}
