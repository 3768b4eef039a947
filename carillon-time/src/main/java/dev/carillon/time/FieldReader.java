package dev.carillon.time;

import java.util.BitSet;
import java.util.EnumMap;

/** Parses one field of a cron expression: a list of terms, each of which adds matching values. */
final class FieldReader {
  private static final BitSet NO_YEARS = new BitSet();

  /** The second field of an expression that has none. */
  static final FieldReader ZERO_SECOND = constant("0", CronField.SECOND);

  private static final EnumMap<CronField, FieldReader> STARS = stars();

  /** The year field of an expression that has none. */
  static final FieldReader EVERY_YEAR = constant("*", CronField.YEAR);

  private final CronParser parser;
  private final CronField cronField;
  private final FieldScanner fieldScanner;

  private long bits; // bit v is value v
  private final BitSet years;
  private int fromEnd;
  private int nearest;
  private int nearestFromEnd;
  private long nth;
  private int last;
  private boolean hasWildcard;
  private boolean unrestricted;
  private boolean requiresBoth;

  private FieldReader(CronParser parser, CronField cronField, int begin, int end) {
    this.parser = parser;
    this.cronField = cronField;
    this.fieldScanner = new FieldScanner(parser.text(), cronField, begin, end);
    this.years = cronField == CronField.YEAR ? new BitSet() : NO_YEARS;
  }

  static FieldReader read(CronParser parser, CronField cronField, int begin, int end) {
    FieldReader star = STARS.get(cronField);
    if (star != null && end - begin == 1 && parser.text().charAt(begin) == '*') {
      return star;
    }
    var reader = new FieldReader(parser, cronField, begin, end);
    reader.list();
    return reader;
  }

  private static FieldReader constant(String text, CronField cronField) {
    var reader = new FieldReader(new CronParser(text, ""), cronField, 0, text.length());
    reader.list();
    return reader;
  }

  private static EnumMap<CronField, FieldReader> stars() {
    var stars = new EnumMap<CronField, FieldReader>(CronField.class);
    for (CronField cronField : CronField.values()) {
      stars.put(cronField, constant("*", cronField));
    }
    return stars;
  }

  /** The matching values; bit v is value v. */
  long bits() {
    return bits;
  }

  BitSet years() {
    return years;
  }

  MonthDays monthDays() {
    return new MonthDays((int) (bits >>> 1), fromEnd, nearest, nearestFromEnd);
  }

  WeekDays weekDays() {
    return new WeekDays((int) (bits | bits >>> 7) & 0b111_1111, nth, last);
  }

  /** Whether the field has a wildcard, so that it fires in both passes of a repeated hour. */
  boolean hasWildcard() {
    return hasWildcard;
  }

  /** Whether the field is exactly {@code *} or {@code ?}. */
  boolean unrestricted() {
    return unrestricted;
  }

  /** Whether a {@code +} requires both day fields to match. */
  boolean requiresBoth() {
    return requiresBoth;
  }

  boolean single() {
    return Long.bitCount(bits) + Long.bitCount(nth) + Integer.bitCount(last) == 1
        || Integer.bitCount(fromEnd | nearest | nearestFromEnd) == 1;
  }

  private void list() {
    int begin = fieldScanner.at();
    requiresBoth = cronField == CronField.DAY_OF_WEEK && fieldScanner.skip('+');
    if (isDay() && fieldScanner.skip('?')) {
      if (!fieldScanner.atEnd()) {
        throw fieldScanner.errors().invalidWord(begin);
      }
      add(cronField.min, cronField.starMax(), 1);
      unrestricted = true;
      return;
    }
    do {
      term();
    } while (fieldScanner.skip(','));
    unrestricted = fieldScanner.since(begin).equals("*");
  }

  private void term() {
    int begin = fieldScanner.at();
    if (fieldScanner.skip('*')) {
      hasWildcard = true;
      range(begin, cronField.min, cronField.starMax());
    } else if (cronField != CronField.YEAR && fieldScanner.skip('H')) {
      hash(begin);
    } else if (isDay() && fieldScanner.skip('L')) {
      last(begin);
    } else {
      value(begin);
    }
    if (!fieldScanner.atItemEnd()) {
      throw fieldScanner.errors().unexpectedRest(begin, fieldScanner.at());
    }
  }

  private void value(int begin) {
    int from = fieldScanner.value();
    if (fieldScanner.skip('-')) {
      range(begin, from, rangeEnd(begin, from, false));
    } else if (fieldScanner.sees('/')) {
      String start = fieldScanner.since(begin);
      range(begin, from, cronField.max);
      parser.warn(
          "STEP_FROM_VALUE",
          fieldScanner.since(begin)
              + " means "
              + start
              + "-"
              + cronField.max
              + fieldScanner.since(begin + start.length()));
    } else if (cronField == CronField.DAY_OF_MONTH && fieldScanner.skip('W')) {
      nearest |= 1 << (from - 1);
      requireItemEnd(begin);
    } else if (cronField == CronField.DAY_OF_WEEK && fieldScanner.skip('L')) {
      last |= 1 << from % 7;
      requireItemEnd(begin);
    } else if (cronField == CronField.DAY_OF_WEEK && fieldScanner.skip('#')) {
      nth(begin, from % 7);
      requireItemEnd(begin);
    } else {
      add(from, from, 1);
    }
  }

  /** Parse the end of a range that begins at {@code begin} with the value {@code from}. */
  private int rangeEnd(int begin, int from, boolean hashed) {
    int endAt = fieldScanner.at();
    int to = fieldScanner.value();
    if (cronField == CronField.DAY_OF_WEEK && to == 0) {
      to = 7; // Sunday may begin or end a range
    }
    if (from > to) {
      String range = fieldScanner.since(begin);
      String hint =
          hashed || fieldScanner.sees('/')
              ? RangeHints.reordered(cronField, hashed)
              : RangeHints.asTwoRanges(
                  cronField,
                  from,
                  range.substring(0, endAt - begin - 1),
                  fieldScanner.since(endAt));
      throw fieldScanner
          .errors()
          .at(begin, fieldScanner.at(), "'" + range + "' runs backwards", hint);
    }
    if (isDay() && (fieldScanner.sees('W') || fieldScanner.sees('#') || fieldScanner.sees('L'))) {
      throw fieldScanner.errors().mustStandAlone(begin);
    }
    return to;
  }

  /** Parse what follows a range: nothing, or a step. */
  private void range(int begin, int from, int to) {
    int step = step();
    add(from, to, step);
    if (step > 1) {
      warnIfUneven(begin, from, to, step);
    }
  }

  private int step() {
    if (!fieldScanner.skip('/')) {
      return 1;
    }
    int begin = fieldScanner.at();
    int step = fieldScanner.number("a step", cronField.stepHint);
    if (step < 1 || step > cronField.max) {
      String problem =
          "step " + fieldScanner.since(begin) + " is out of range for the " + cronField.label;
      throw fieldScanner.errors().at(begin, fieldScanner.at(), problem, cronField.stepHint);
    }
    return step;
  }

  private void warnIfUneven(int begin, int from, int to, int step) {
    StepLint.of(cronField, fieldScanner.since(begin), from, to, step).ifPresent(parser::warn);
  }

  private void hash(int begin) {
    int from = cronField.min;
    int to = cronField.hashMax();
    boolean whole = !fieldScanner.skip('(');
    if (!whole) {
      int rangeAt = fieldScanner.at();
      from = fieldScanner.value();
      if (!fieldScanner.skip('-')) {
        throw fieldScanner.errors().invalidWord(begin);
      }
      to = rangeEnd(rangeAt, from, true);
      if (!fieldScanner.skip(')')) {
        throw fieldScanner.errors().invalidWord(begin);
      }
    }
    boolean stepped = fieldScanner.sees('/');
    int step = step();
    int width = to - from + 1;
    int first =
        from + HashTerm.of(parser.key(), cronField, stepped ? Math.min(step, width) : width);
    add(first, stepped ? to : first, step);
    hasWildcard |= whole && stepped;
    parser.resolve(begin, fieldScanner.at(), stepped ? first + "-" + to + "/" + step : "" + first);
    if (step > 1) {
      warnIfUneven(begin, first, to, step);
    }
  }

  private void last(int begin) {
    if (cronField == CronField.DAY_OF_WEEK) {
      throw fieldScanner
          .errors()
          .at(
              begin,
              fieldScanner.at(),
              "L alone is not a day of week",
              "Use 5L for the last Friday of the month, 6 for Saturday, or L as the day of month.");
    }
    int before = 0;
    if (fieldScanner.skip('-')) {
      String hint = "Use L-1 to L-30.";
      before = fieldScanner.number("a number of days", hint);
      if (before < 1 || before > 30) {
        throw fieldScanner
            .errors()
            .at(begin, fieldScanner.at(), fieldScanner.since(begin) + " is out of range", hint);
      }
    }
    if (fieldScanner.skip('W')) {
      nearestFromEnd |= 1 << before;
    } else {
      fromEnd |= 1 << before;
    }
    requireItemEnd(begin);
  }

  private void nth(int begin, int weekday) {
    if (fieldScanner.skip('L')) {
      last |= 1 << weekday;
      return;
    }
    String hint = "Use #1 to #5, or #L for the last.";
    int week = fieldScanner.number("a week of the month", hint);
    if (week < 1 || week > 5) {
      throw fieldScanner
          .errors()
          .at(begin, fieldScanner.at(), "no month has a " + fieldScanner.since(begin), hint);
    }
    nth |= 1L << ((week - 1) * 7 + weekday);
  }

  private void requireItemEnd(int begin) {
    if (!fieldScanner.atItemEnd()) {
      throw fieldScanner.errors().mustStandAlone(begin);
    }
  }

  private void add(int from, int to, int step) {
    if (cronField == CronField.YEAR) {
      addYears(from, to, step);
    } else if (step == 1) {
      bits |= (2L << to) - (1L << from);
    } else {
      for (int value = from; value <= to; value += step) {
        bits |= 1L << value;
      }
    }
  }

  private void addYears(int from, int to, int step) {
    for (int year = from; year <= to; year += step) {
      years.set(year - cronField.min);
    }
  }

  private boolean isDay() {
    return cronField == CronField.DAY_OF_MONTH || cronField == CronField.DAY_OF_WEEK;
  }
}
