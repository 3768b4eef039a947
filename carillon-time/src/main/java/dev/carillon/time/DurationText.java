package dev.carillon.time;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.Optional;

/**
 * The text form of durations: {@code 30s}, {@code 15m}, {@code 1h30m}, {@code 90d}, or ISO 8601
 * such as {@code PT15M} and {@code P3D}.
 */
public final class DurationText {
  private static final int MAX_LENGTH = 64;

  private DurationText() {}

  /**
   * Parse a duration.
   *
   * @throws IllegalArgumentException if it is not valid; the message shows how to write one
   */
  public static Duration parse(String text) {
    String bare = text.strip();
    try {
      if (!bare.isEmpty() && bare.length() <= MAX_LENGTH) {
        return sum(bare).or(() -> weeks(bare)).orElseGet(() -> Duration.parse(bare));
      }
    } catch (DateTimeException | ArithmeticException e) {
      // reported below
    }
    throw new InvalidValueException(
        "'%s' is no duration; write it as 30s, 15m, 1h30m, 3d or PT15M".formatted(truncated(bare)));
  }

  /** Format a duration without loss, in the short form if possible: {@code 1h30m}. */
  public static String of(Duration length) {
    if (length.isNegative() || length.toNanosPart() % 1_000_000 != 0) {
      return length.toString();
    }
    var text = new StringBuilder();
    add(text, length.toDays(), "d");
    add(text, length.toHoursPart(), "h");
    add(text, length.toMinutesPart(), "m");
    add(text, length.toSecondsPart(), "s");
    add(text, length.toMillisPart(), "ms");
    return text.isEmpty() ? "0s" : text.toString();
  }

  /* Each unit once at most, the largest first. */
  private static Optional<Duration> sum(String text) {
    Duration sum = Duration.ZERO;
    int at = 0;
    for (Unit unit : Unit.values()) {
      int digitsEnd = end(text, at, true);
      int end = end(text, digitsEnd, false);
      if (text.substring(digitsEnd, end).equals(unit.symbol)) {
        if (digitsEnd == at || digitsEnd - at > unit.maxDigits) {
          return Optional.empty();
        }
        long amount = Long.parseLong(text.substring(at, digitsEnd));
        sum = sum.plus(unit.length.multipliedBy(amount));
        at = end;
      }
    }
    return at == text.length() ? Optional.of(sum) : Optional.empty();
  }

  /* ISO 8601 has weeks, which Duration does not read. */
  private static Optional<Duration> weeks(String text) {
    return text.startsWith("P") || text.startsWith("p")
        ? Optional.of(text.substring(1))
            .filter(weeks -> weeks.endsWith("W") || weeks.endsWith("w"))
            .map(weeks -> weeks.substring(0, weeks.length() - 1))
            .filter(digits -> end(digits, 0, true) == digits.length())
            .flatMap(digits -> sum(digits + Unit.WEEK.symbol))
        : Optional.empty();
  }

  /* Where the digits from there on end, or what is none. */
  private static int end(String text, int begin, boolean digits) {
    int end = begin;
    while (end < text.length() && isDigit(text.charAt(end)) == digits) {
      end++;
    }
    return end;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static void add(StringBuilder text, long amount, String unit) {
    if (amount != 0) {
      text.append(amount).append(unit);
    }
  }

  private enum Unit {
    WEEK("w", 6, Duration.ofDays(7)),
    DAY("d", 7, Duration.ofDays(1)),
    HOUR("h", 8, Duration.ofHours(1)),
    MINUTE("m", 9, Duration.ofMinutes(1)),
    SECOND("s", 10, Duration.ofSeconds(1)),
    MILLISECOND("ms", 13, Duration.ofMillis(1));

    final String symbol;
    final int maxDigits;
    final Duration length;

    Unit(String symbol, int maxDigits, Duration length) {
      this.symbol = symbol;
      this.maxDigits = maxDigits;
      this.length = length;
    }
  }

  private static String truncated(String text) {
    return text.length() <= MAX_LENGTH ? text : text.substring(0, MAX_LENGTH) + "…";
  }
}
