package dev.carillon.time;

import java.time.ZoneId;

/**
 * Parses intervals: {@code @every 90s}, {@code @every 1h30m}, {@code @every PT90S}, and by the
 * calendar {@code @every P1M}.
 */
final class EveryParser {
  private static final String NAME = "@every";
  private static final String HINT =
      "Write a duration of whole seconds, such as 90s, 15m, 1h30m, 2d or PT15M, or months, such as P1M.";

  private EveryParser() {}

  static boolean matches(String text) {
    String normalized = Whitespace.normalize(text);
    return normalized.equals(NAME) || normalized.startsWith(NAME + " ");
  }

  static Timing parse(String text, ZoneId zone) {
    String normalized = Whitespace.normalize(text);
    int begin = Math.min(NAME.length() + 1, normalized.length());
    String amount = normalized.substring(begin);
    if (amount.length() > CronParser.MAX_LENGTH) {
      throw new CronSyntaxException(
          normalized, begin, normalized.length(), "the duration is too long", HINT);
    }
    PeriodDuration period;
    try {
      period = PeriodDuration.parse(amount);
    } catch (InvalidValueException e) {
      throw refuse(normalized, begin, "this is not a duration", e);
    }
    try {
      return timing(period, zone);
    } catch (InvalidValueException e) {
      throw refuse(normalized, begin, String.valueOf(e.getMessage()), e);
    }
  }

  private static Timing timing(PeriodDuration amount, ZoneId zone) {
    if (amount.isFixed()) {
      return Every.of(amount.fixed());
    }
    if (!amount.time().isZero()) {
      throw new InvalidValueException(
          "an interval of years or months has no hours, minutes or seconds");
    }
    return EveryPeriod.of(amount.period(), zone);
  }

  private static CronSyntaxException refuse(
      String text, int begin, String problem, RuntimeException cause) {
    var refused = new CronSyntaxException(text, begin, text.length(), problem, HINT);
    refused.initCause(cause);
    return refused;
  }
}
