package dev.carillon.model;

import dev.carillon.time.InvalidValueException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * What work that runs elsewhere said about itself.
 *
 * @param at when it was heard
 * @param kind what happened
 * @param duration how long the work took
 * @param exitCode how its process ended
 * @param output the end of what it printed
 */
public record Ping(
    Instant at,
    Kind kind,
    Optional<Duration> duration,
    Optional<Integer> exitCode,
    Optional<String> output) {
  /** The most bytes of output, in UTF-8. */
  public static final int MAX_OUTPUT = 10_000;

  private static final Duration MAX_DURATION = Duration.ofDays(3_650);

  public Ping {
    if (duration.filter(Ping::isTooLong).isPresent()) {
      throw new InvalidValueException(
          "duration", "a duration is from 0 to 3650d; was " + duration.get());
    }
    if (output.filter(text -> !StorableText.is(text)).isPresent()) {
      throw new InvalidValueException(
          "output", "the output must not hold \\u0000 or half of a surrogate pair; remove them");
    }
    int bytes = output.map(text -> text.getBytes(StandardCharsets.UTF_8).length).orElse(0);
    if (bytes > MAX_OUTPUT) {
      throw new InvalidValueException(
          "output",
          "the output has at most %s bytes; this has %s; send its end"
              .formatted(MAX_OUTPUT, bytes));
    }
  }

  /**
   * Return the same, heard after {@code last}: the clock of the node that heard it may be behind
   * that of the node which heard the one before.
   */
  public Ping after(Optional<Instant> last) {
    Instant heard = at.truncatedTo(ChronoUnit.MICROS);
    Instant ordered =
        last.filter(before -> !heard.isAfter(before))
            .map(before -> before.plus(1, ChronoUnit.MICROS))
            .orElse(heard);
    return new Ping(ordered, kind, duration, exitCode, output);
  }

  private static boolean isTooLong(Duration duration) {
    return duration.isNegative() || duration.compareTo(MAX_DURATION) > 0;
  }

  /** What a ping is about. */
  public enum Kind {
    START,
    SUCCESS,
    FAIL
  }
}
