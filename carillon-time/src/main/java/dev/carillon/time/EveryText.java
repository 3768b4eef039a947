package dev.carillon.time;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The text form of an interval: {@code @every 90s}, {@code @every 1h30m}, {@code @every PT90S}. */
final class EveryText {
  private static final String NAME = "@every";
  private static final String HINT =
      "Write a duration of whole seconds, such as 90s, 15m, 1h30m, 2d or PT15M.";
  private static final Pattern SHORT =
      Pattern.compile("(?:(\\d{1,5})d)?(?:(\\d{1,7})h)?(?:(\\d{1,9})m)?(?:(\\d{1,10})s)?");

  private EveryText() {}

  static boolean looksLike(String text) {
    String single = Blanks.single(text);
    return single.equals(NAME) || single.startsWith(NAME + " ");
  }

  static Every parse(String text) {
    String single = Blanks.single(text);
    int begin = Math.min(NAME.length() + 1, single.length());
    String amount = single.substring(begin);
    if (amount.length() > CronParser.LONGEST) {
      throw new CronSyntaxException(
          single, begin, single.length(), "the duration is too long", HINT);
    }
    try {
      return Every.of(amount.startsWith("P") ? Duration.parse(amount) : shorthand(amount));
    } catch (DateTimeParseException | ArithmeticException e) {
      throw refuse(single, begin, "this is not a duration", e);
    } catch (IllegalArgumentException e) {
      throw refuse(single, begin, String.valueOf(e.getMessage()), e);
    }
  }

  private static Duration shorthand(String amount) {
    Matcher parts = SHORT.matcher(amount);
    if (amount.isEmpty() || !parts.matches()) {
      throw new ArithmeticException("no duration");
    }
    return Duration.ofDays(part(parts, 1))
        .plusHours(part(parts, 2))
        .plusMinutes(part(parts, 3))
        .plusSeconds(part(parts, 4));
  }

  private static long part(Matcher parts, int group) {
    String digits = parts.group(group);
    return digits == null ? 0 : Long.parseLong(digits);
  }

  private static CronSyntaxException refuse(
      String text, int begin, String problem, RuntimeException cause) {
    var refused = new CronSyntaxException(text, begin, text.length(), problem, HINT);
    refused.initCause(cause);
    return refused;
  }
}
