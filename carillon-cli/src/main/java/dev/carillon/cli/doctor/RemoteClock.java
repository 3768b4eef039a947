package dev.carillon.cli.doctor;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/**
 * Another clock, read once from here.
 *
 * @param asked when it was asked, by the clock of this machine
 * @param answered when the answer was there
 * @param shown what it showed
 * @param coarse how exact what it showed is: a second for a header of HTTP
 */
record RemoteClock(Instant asked, Instant answered, Instant shown, Duration coarse) {
  private static final Duration MAX_SKEW = Duration.ofMillis(500);

  /** Return how far the other clock is ahead of ours, beyond what one reading can show. */
  Duration skew() {
    Duration early = Duration.between(answered, shown);
    Duration late = Duration.between(asked, shown.plus(coarse));
    if (!early.isNegative()) {
      return early;
    }
    return late.isNegative() ? late : Duration.ZERO;
  }

  Finding judge(String about, String other) {
    Duration skew = skew();
    if (skew.abs().compareTo(MAX_SKEW) <= 0) {
      return Finding.ok(about, "the clocks of this machine and of %s agree".formatted(other));
    }
    return Finding.warn(
        about,
        "the clock of %s is %s s %s this machine's"
            .formatted(
                other,
                String.format(Locale.ROOT, "%.1f", skew.abs().toMillis() / 1000.0),
                skew.isNegative() ? "behind" : "ahead of"),
        "slots are meant by the database's clock; let NTP or chrony set the clocks of both");
  }
}
