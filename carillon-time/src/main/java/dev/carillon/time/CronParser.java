package dev.carillon.time;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Parses cron expressions; {@code docs/reference/cron.md} describes the dialect. */
final class CronParser {
  static final int MAX_LENGTH = 256;

  /** The longest input that is normalized, blanks included; longer input is refused as it is. */
  private static final int MAX_INPUT_LENGTH = 4 * MAX_LENGTH;

  private static final String FIELDS_HINT =
      "Use 5 fields (minute hour day-of-month month day-of-week), 6 with seconds first,"
          + " or 7 with seconds first and the year last.";

  private final String text;
  private final String key;
  private final int[] bounds = new int[14]; // begin and end of each field
  private int fields;
  private List<Warning> warnings = List.of();
  private String resolved;

  CronParser(String text, String key) {
    this.text = text;
    this.key = key;
    this.resolved = text;
  }

  static ParsedCron parse(String expression, String key) {
    String text =
        expression.length() > MAX_INPUT_LENGTH ? expression : Whitespace.normalize(expression);
    if (text.length() > MAX_LENGTH) {
      throw new CronSyntaxException(
          text,
          MAX_LENGTH,
          MAX_LENGTH + 1,
          "the expression is too long",
          "Use at most 256 characters.");
    }
    if (text.startsWith("@")) {
      ParsedCron expanded = new CronParser(Macro.expand(text), key).read();
      return new ParsedCron(
          text, expanded.resolved(), expanded.slots(), expanded.hasWildcard(), expanded.warnings());
    }
    return new CronParser(text, key).read();
  }

  private ParsedCron read() {
    split();
    boolean withSeconds = fields > 5;
    int at = withSeconds ? 1 : 0;
    FieldReader second = withSeconds ? field(0, CronField.SECOND) : FieldReader.ZERO_SECOND;
    FieldReader minute = field(at, CronField.MINUTE);
    FieldReader hour = field(at + 1, CronField.HOUR);
    FieldReader monthDay = field(at + 2, CronField.DAY_OF_MONTH);
    FieldReader month = field(at + 3, CronField.MONTH);
    FieldReader weekDay = field(at + 4, CronField.DAY_OF_WEEK);
    FieldReader year = fields == 7 ? field(6, CronField.YEAR) : FieldReader.EVERY_YEAR;

    var times = TimesOfDay.of(second.bits(), minute.bits(), (int) hour.bits());
    var months = MonthSet.of((int) (month.bits() >>> 1), year.years());
    var slots = new CronLocalTimes(times, days(monthDay, weekDay), months);
    warnIfFrequent(second, minute, hour, monthDay, weekDay, times);
    boolean hasWildcard = second.hasWildcard() || minute.hasWildcard() || hour.hasWildcard();
    return new ParsedCron(text, resolved, slots, hasWildcard, warnings);
  }

  private void split() {
    int length = text.length();
    for (int i = 0; i < length; i++) {
      if (text.charAt(i) > '~' || text.charAt(i) < ' ') {
        throw new CronSyntaxException(
            text,
            i,
            i + 1,
            "character U+%04X has no meaning here".formatted((int) text.charAt(i)),
            "Use plain ASCII characters, with blanks between the fields.");
      }
    }
    int begin = 0;
    while (begin < length) {
      int blank = text.indexOf(' ', begin);
      int end = blank < 0 ? length : blank;
      if (fields == 7) {
        throw new CronSyntaxException(
            text, begin, length, "there are more than 7 fields", FIELDS_HINT);
      }
      bounds[2 * fields] = begin;
      bounds[2 * fields + 1] = end;
      fields++;
      begin = end + 1;
    }
    if (fields < 5) {
      String found =
          fields == 0 ? "the expression is empty" : "there are only " + fields + " fields";
      throw new CronSyntaxException(
          text, length, length + 1, fields == 1 ? "there is only 1 field" : found, FIELDS_HINT);
    }
    if (fields == 6 && looksLikeYear(bounds[10], bounds[11])) {
      throw new CronSyntaxException(
          text,
          bounds[10],
          bounds[11],
          "a year needs all 7 fields; the last of 6 is the day of week",
          "Put the seconds first: 0 " + text);
    }
  }

  private boolean looksLikeYear(int begin, int end) {
    if (end - begin < 4 || text.charAt(begin) == '0') {
      return false;
    }
    for (int i = begin; i < begin + 4; i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return true;
  }

  private FieldReader field(int index, CronField cronField) {
    return FieldReader.read(this, cronField, bounds[2 * index], bounds[2 * index + 1]);
  }

  private DayRule days(FieldReader monthDay, FieldReader weekDay) {
    if (monthDay.unrestricted() && weekDay.unrestricted()) {
      return DayRule.EVERY;
    }
    boolean both = !monthDay.unrestricted() && !weekDay.unrestricted();
    boolean either = both && !weekDay.requiresBoth();
    if (either) {
      warn(
          "DOM_DOW_OR",
          "day of month and day of week are both given, so either is enough;"
              + " put + before the day of week to require both");
    }
    return new DayRule(monthDay.monthDays(), weekDay.weekDays(), either);
  }

  private void warnIfFrequent(
      FieldReader second,
      FieldReader minute,
      FieldReader hour,
      FieldReader monthDay,
      FieldReader weekDay,
      TimesOfDay times) {
    boolean oneDay = monthDay.single() || weekDay.single();
    boolean frequent =
        second.unrestricted()
            ? !minute.unrestricted() || hour.single() || oneDay
            : minute.unrestricted() && (hour.single() || (hour.unrestricted() && oneDay));
    if (frequent) {
      String field = (second.unrestricted() ? CronField.SECOND : CronField.MINUTE).label;
      warn(
          "FIRES_OFTEN",
          String.format(
              Locale.ROOT,
              "* in the %s field makes this fire %,d times on each day it matches;"
                  + " write 0 there to fire once",
              field,
              times.perDay()));
    }
  }

  void warn(String code, String message) {
    warn(new Warning(code, message));
  }

  void warn(Warning warning) {
    if (warnings.isEmpty()) {
      warnings = new ArrayList<>();
    }
    warnings.add(warning);
  }

  String text() {
    return text;
  }

  String key() {
    return key;
  }

  /** Replace the {@code H} term from {@code begin} to {@code end} in the resolved expression. */
  void resolve(int begin, int end, String value) {
    int shift = resolved.length() - text.length();
    resolved = resolved.substring(0, begin + shift) + value + resolved.substring(end + shift);
  }
}
