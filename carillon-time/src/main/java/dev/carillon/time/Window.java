package dev.carillon.time;

import java.time.Instant;
import java.util.Optional;

/**
 * The time range in which a schedule is active, both ends included.
 *
 * @param from the first instant; {@link Instant#MIN} if it has no start
 * @param until the last instant; {@link Instant#MAX} if it has no end
 */
public record Window(Instant from, Instant until) {
  /** The window without start and end. */
  public static final Window ALWAYS = new Window(Instant.MIN, Instant.MAX);

  public Window {
    if (until.isBefore(from)) {
      throw new InvalidValueException(
          "a window must not end before it begins; was from " + from + " until " + until);
    }
  }

  /** Return the window that starts at {@code from} and has no end. */
  public static Window from(Instant from) {
    return new Window(from, Instant.MAX);
  }

  /** Return the window that ends with {@code until} and has no start. */
  public static Window until(Instant until) {
    return new Window(Instant.MIN, until);
  }

  /** Return whether {@code slot} is in this window. */
  public boolean contains(Instant slot) {
    return !slot.isBefore(from) && !slot.isAfter(until);
  }

  /** Return the first slot of {@code timing} after {@code after} in this window. */
  public Optional<Instant> next(Timing timing, Instant after) {
    return timing.next(notBefore(after)).filter(this::contains);
  }

  /** Return the last slot of {@code timing} before {@code before} in this window. */
  public Optional<Instant> previous(Timing timing, Instant before) {
    boolean past = before.isAfter(until);
    return (past && timing.matches(until)
            ? Optional.of(until)
            : timing.previous(past ? until : before))
        .filter(this::contains);
  }

  /** Return the slots of {@code timing} in {@code (after, through]} and in this window. */
  public Slots between(Timing timing, Instant after, Instant through) {
    return timing.between(notBefore(after), through.isAfter(until) ? until : through);
  }

  /** Return {@code after}, or the last instant before this window if that is later. */
  private Instant notBefore(Instant after) {
    return after.isBefore(from) ? from.minusNanos(1) : after;
  }
}
