package dev.carillon.cli.console;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Says when something is: how far from now, or as an instant for those who asked for that.
 *
 * @param now what ages are counted from
 * @param absolute whether to show instants instead
 */
public record AgeText(Instant now, boolean absolute) {
  private static final Duration TOO_FAR = Duration.ofDays(90);

  /** Return when {@code moment} is. */
  public String of(Instant moment) {
    Duration away = Duration.between(now, moment);
    if (absolute) {
      return moment.truncatedTo(ChronoUnit.MILLIS).toString();
    }
    if (away.abs().compareTo(TOO_FAR) > 0) {
      return moment.toString().substring(0, moment.toString().indexOf('T'));
    }
    if (away.abs().toSeconds() == 0) {
      return "now";
    }
    return away.isNegative() ? length(away.abs()) + " ago" : "in " + length(away);
  }

  /** Return how long {@code span} is, in its two largest units. */
  public static String length(Duration span) {
    long seconds = span.toSeconds();
    if (seconds == 0) {
      return span.toMillis() + "ms";
    }
    if (seconds < 60) {
      return seconds + "s";
    }
    if (seconds < 3600) {
      return seconds / 60 + "m" + unlessNone(seconds % 60, "s");
    }
    if (seconds < 2 * 86_400) {
      return seconds / 3600 + "h" + unlessNone(seconds % 3600 / 60, "m");
    }
    return seconds / 86_400 + "d" + unlessNone(seconds % 86_400 / 3600, "h");
  }

  private static String unlessNone(long amount, String unit) {
    return amount == 0 ? "" : " " + amount + unit;
  }
}
