package dev.carillon.time;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text form of durations: {@code 30s}, {@code 15m}, {@code 1h30m}, {@code 90d}, or ISO 8601
 * such as {@code PT15M} and {@code P3D}.
 */
public final class DurationText {
  private static final int MAX_LENGTH = 64;
  private static final Pattern SHORT =
      Pattern.compile(
          "(?:(\\d{1,6})w)?(?:(\\d{1,7})d)?(?:(\\d{1,8})h)?(?:(\\d{1,9})m)?(?:(\\d{1,10})s)?"
              + "(?:(\\d{1,13})ms)?");
  private static final Pattern WEEKS = Pattern.compile("[Pp](\\d{1,6})[Ww]");

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
        Matcher parts = SHORT.matcher(bare);
        if (parts.matches()) {
          return sum(parts);
        }
        Matcher weeks = WEEKS.matcher(bare);
        return weeks.matches() ? Duration.ofDays(7 * part(weeks, 1)) : Duration.parse(bare);
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

  private static Duration sum(Matcher parts) {
    return Duration.ofDays(7 * part(parts, 1))
        .plusDays(part(parts, 2))
        .plusHours(part(parts, 3))
        .plusMinutes(part(parts, 4))
        .plusSeconds(part(parts, 5))
        .plusMillis(part(parts, 6));
  }

  private static long part(Matcher parts, int group) {
    String digits = parts.group(group);
    return digits == null ? 0 : Long.parseLong(digits);
  }

  private static void add(StringBuilder text, long amount, String unit) {
    if (amount != 0) {
      text.append(amount).append(unit);
    }
  }

  private static String truncated(String text) {
    return text.length() <= MAX_LENGTH ? text : text.substring(0, MAX_LENGTH) + "…";
  }
}
