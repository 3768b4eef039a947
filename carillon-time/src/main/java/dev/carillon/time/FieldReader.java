package dev.carillon.time;

import java.util.BitSet;
import java.util.EnumMap;

/** Parses one field of a cron expression: a list of terms, each of which adds matching values. */
final class FieldReader {
  private static final BitSet NO_YEARS = new BitSet();

  /** The second field of an expression that has none. */
  static final FieldReader ZERO_SECOND = constant("0", Field.SECOND);

  private static final EnumMap<Field, FieldReader> STARS = stars();

  /** The year field of an expression that has none. */
  static final FieldReader EVERY_YEAR = constant("*", Field.YEAR);

  private final CronParser parser;
  private final Field field;
  private final Scan scan;

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

  private FieldReader(CronParser parser, Field field, int begin, int end) {
    this.parser = parser;
    this.field = field;
    this.scan = new Scan(parser.text(), field, begin, end);
    this.years = field == Field.YEAR ? new BitSet() : NO_YEARS;
  }

  static FieldReader read(CronParser parser, Field field, int begin, int end) {
    FieldReader star = STARS.get(field);
    if (star != null && end - begin == 1 && parser.text().charAt(begin) == '*') {
      return star;
    }
    var reader = new FieldReader(parser, field, begin, end);
    reader.list();
    return reader;
  }

  private static FieldReader constant(String text, Field field) {
    var reader = new FieldReader(new CronParser(text, ""), field, 0, text.length());
    reader.list();
    return reader;
  }

  private static EnumMap<Field, FieldReader> stars() {
    var stars = new EnumMap<Field, FieldReader>(Field.class);
    for (Field field : Field.values()) {
      stars.put(field, constant("*", field));
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

  /** Whether the field names a single value. */
  boolean single() {
    return Long.bitCount(bits) + Long.bitCount(nth) + Integer.bitCount(last) == 1
        || Integer.bitCount(fromEnd | nearest | nearestFromEnd) == 1;
  }

  private void list() {
    int begin = scan.at();
    requiresBoth = field == Field.DAY_OF_WEEK && scan.skip('+');
    if (isDay() && scan.skip('?')) {
      if (!scan.atEnd()) {
        throw scan.errors().invalidWord(begin);
      }
      add(field.min, field.starMax(), 1);
      unrestricted = true;
      return;
    }
    do {
      term();
    } while (scan.skip(','));
    unrestricted = scan.since(begin).equals("*");
  }

  private void term() {
    int begin = scan.at();
    if (scan.skip('*')) {
      hasWildcard = true;
      range(begin, field.min, field.starMax());
    } else if (field != Field.YEAR && scan.skip('H')) {
      hash(begin);
    } else if (isDay() && scan.skip('L')) {
      last(begin);
    } else {
      value(begin);
    }
    if (!scan.atItemEnd()) {
      throw scan.errors().unexpectedRest(begin, scan.at());
    }
  }

  private void value(int begin) {
    int from = scan.value();
    if (scan.skip('-')) {
      range(begin, from, rangeEnd(begin, from, false));
    } else if (scan.sees('/')) {
      String start = scan.since(begin);
      range(begin, from, field.max);
      parser.warn(
          "STEP_FROM_VALUE",
          scan.since(begin)
              + " means "
              + start
              + "-"
              + field.max
              + scan.since(begin + start.length()));
    } else if (field == Field.DAY_OF_MONTH && scan.skip('W')) {
      nearest |= 1 << (from - 1);
      requireItemEnd(begin);
    } else if (field == Field.DAY_OF_WEEK && scan.skip('L')) {
      last |= 1 << from % 7;
      requireItemEnd(begin);
    } else if (field == Field.DAY_OF_WEEK && scan.skip('#')) {
      nth(begin, from % 7);
      requireItemEnd(begin);
    } else {
      add(from, from, 1);
    }
  }

  /** Parse the end of a range that begins at {@code begin} with the value {@code from}. */
  private int rangeEnd(int begin, int from, boolean hashed) {
    int endAt = scan.at();
    int to = scan.value();
    if (field == Field.DAY_OF_WEEK && to == 0) {
      to = 7; // Sunday may begin or end a range
    }
    if (from > to) {
      String range = scan.since(begin);
      String hint =
          hashed || scan.sees('/')
              ? Rewrite.reordered(field, hashed)
              : Rewrite.asTwoRanges(
                  field, from, range.substring(0, endAt - begin - 1), scan.since(endAt));
      throw scan.errors().at(begin, scan.at(), "'" + range + "' runs backwards", hint);
    }
    if (isDay() && (scan.sees('W') || scan.sees('#') || scan.sees('L'))) {
      throw scan.errors().mustStandAlone(begin);
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
    if (!scan.skip('/')) {
      return 1;
    }
    int begin = scan.at();
    int step = scan.number("a step", field.stepHint);
    if (step < 1 || step > field.max) {
      String problem = "step " + scan.since(begin) + " is out of range for the " + field.label;
      throw scan.errors().at(begin, scan.at(), problem, field.stepHint);
    }
    return step;
  }

  private void warnIfUneven(int begin, int from, int to, int step) {
    StepLint.of(field, scan.since(begin), from, to, step).ifPresent(parser::warn);
  }

  private void hash(int begin) {
    int from = field.min;
    int to = field.hashMax();
    boolean whole = !scan.skip('(');
    if (!whole) {
      int rangeAt = scan.at();
      from = scan.value();
      if (!scan.skip('-')) {
        throw scan.errors().invalidWord(begin);
      }
      to = rangeEnd(rangeAt, from, true);
      if (!scan.skip(')')) {
        throw scan.errors().invalidWord(begin);
      }
    }
    boolean stepped = scan.sees('/');
    int step = step();
    int width = to - from + 1;
    int first = from + HashTerm.of(parser.key(), field, stepped ? Math.min(step, width) : width);
    add(first, stepped ? to : first, step);
    hasWildcard |= whole && stepped;
    parser.resolve(begin, scan.at(), stepped ? first + "-" + to + "/" + step : "" + first);
    if (step > 1) {
      warnIfUneven(begin, first, to, step);
    }
  }

  private void last(int begin) {
    if (field == Field.DAY_OF_WEEK) {
      throw scan.errors()
          .at(
              begin,
              scan.at(),
              "L alone is not a day of week",
              "Use 5L for the last Friday of the month, 6 for Saturday, or L as the day of month.");
    }
    int before = 0;
    if (scan.skip('-')) {
      String hint = "Use L-1 to L-30.";
      before = scan.number("a number of days", hint);
      if (before < 1 || before > 30) {
        throw scan.errors().at(begin, scan.at(), scan.since(begin) + " is out of range", hint);
      }
    }
    if (scan.skip('W')) {
      nearestFromEnd |= 1 << before;
    } else {
      fromEnd |= 1 << before;
    }
    requireItemEnd(begin);
  }

  private void nth(int begin, int weekday) {
    if (scan.skip('L')) {
      last |= 1 << weekday;
      return;
    }
    String hint = "Use #1 to #5, or #L for the last.";
    int week = scan.number("a week of the month", hint);
    if (week < 1 || week > 5) {
      throw scan.errors().at(begin, scan.at(), "no month has a " + scan.since(begin), hint);
    }
    nth |= 1L << ((week - 1) * 7 + weekday);
  }

  private void requireItemEnd(int begin) {
    if (!scan.atItemEnd()) {
      throw scan.errors().mustStandAlone(begin);
    }
  }

  private void add(int from, int to, int step) {
    if (field == Field.YEAR) {
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
      years.set(year - field.min);
    }
  }

  private boolean isDay() {
    return field == Field.DAY_OF_MONTH || field == Field.DAY_OF_WEEK;
  }
}
