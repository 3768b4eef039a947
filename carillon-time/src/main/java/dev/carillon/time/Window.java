package dev.carillon.time;

import dev.carillon.time.business.CalendarTiming;
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

  /* Beyond these an end is none. */
  private static final Instant FIRST = Instant.parse("-9999-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("+99999-01-01T00:00:00Z");

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

  /**
   * Return the window of the slots of {@code timing}: this one, or a wider one if a calendar says
   * what time each slot stands for. That time is then judged by this window.
   */
  public Window forSlots(Timing timing) {
    return timing instanceof CalendarTiming named
        ? new Window(
            from.isAfter(FIRST) ? from.minus(named.maxAfterSlot()) : from,
            until.isBefore(LAST) ? until.plus(named.maxBeforeSlot()) : until)
        : this;
  }

  /** Return the first slot of {@code timing} after {@code after} in this window. */
  public Optional<Instant> next(Timing timing, Instant after) {
    Window slots = forSlots(timing);
    return timing.next(slots.notBefore(after)).filter(slots::contains);
  }

  /** Return the last slot of {@code timing} before {@code before} in this window. */
  public Optional<Instant> previous(Timing timing, Instant before) {
    Window slots = forSlots(timing);
    boolean past = before.isAfter(slots.until);
    return (past && timing.matches(slots.until)
            ? Optional.of(slots.until)
            : timing.previous(past ? slots.until : before))
        .filter(slots::contains);
  }

  /** Return the slots of {@code timing} in {@code (after, through]} and in this window. */
  public Slots between(Timing timing, Instant after, Instant through) {
    Window slots = forSlots(timing);
    return timing.between(
        slots.notBefore(after), through.isAfter(slots.until) ? slots.until : through);
  }

  /** Return {@code after}, or the last instant before this window if that is later. */
  private Instant notBefore(Instant after) {
    return after.isBefore(from) ? from.minusNanos(1) : after;
  }
}
