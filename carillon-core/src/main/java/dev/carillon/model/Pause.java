package dev.carillon.model;

import dev.carillon.time.InvalidValueException;
import java.time.Instant;
import java.util.Optional;

/**
 * Why a schedule does not fire, from when and until when.
 *
 * @param reason why, as people read it
 * @param from the first instant whose slots do not run; empty if it does not fire already
 * @param until when it resumes by itself; empty if it has to be resumed
 */
public record Pause(String reason, Optional<Instant> from, Optional<Instant> until) {
  /** The longest reason accepted. */
  public static final int MAX_REASON = 1_000;

  public Pause {
    if (reason.isBlank() || reason.length() > MAX_REASON || reason.indexOf(0) >= 0) {
      throw new InvalidValueException(
          "a pause needs a reason of 1 to %s characters: it is shown to whoever wonders why nothing runs"
              .formatted(MAX_REASON));
    }
    if (from.isPresent() && until.isPresent() && !until.get().isAfter(from.get())) {
      throw new InvalidValueException(
          "a pause must end after it begins; was from " + from.get() + " until " + until.get());
    }
  }

  /** Pause at once. */
  public Pause(String reason, Optional<Instant> until) {
    this(reason, Optional.empty(), until);
  }

  /** Return a pause at once that lasts until the schedule is resumed. */
  public static Pause because(String reason) {
    return new Pause(reason, Optional.empty());
  }

  /** Return this pause, but beginning at {@code from}: slots before it still run. */
  public Pause startingAt(Instant from) {
    return new Pause(reason, Optional.of(from), until);
  }

  /** Return this pause, but ending by itself at {@code until}. */
  public Pause endingAt(Instant until) {
    return new Pause(reason, from, Optional.of(until));
  }

  /** Return this pause, but at once. */
  public Pause immediate() {
    return new Pause(reason, until);
  }
}
