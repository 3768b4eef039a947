package dev.carillon.model;

import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * A stretch of neighbouring slots that became no run.
 *
 * @param first the first of them
 * @param last the last of them
 * @param slots how many
 * @param reason why
 * @param by the name of the calendar or quiet hours that decided it, if one did
 * @param mergedInto the slot whose run stands for them, if they were due at the same time
 */
public record DroppedSlots(
    Instant first,
    Instant last,
    long slots,
    Reason reason,
    Optional<String> by,
    Optional<Instant> mergedInto) {
  /** Why slots become no run. */
  public enum Reason {
    /** Nothing could run them, and catch-up does not. */
    MISSED,
    /** More were missed than catch-up may run. */
    LIMIT,
    /** The schedule was paused. */
    PAUSED,
    /** The schedule was not in force yet. */
    OUTSIDE_WINDOW,
    /** The schedule was retired before their runs were due, such as for jitter. */
    RETIRED,
    /** A calendar left them out. */
    CALENDAR,
    /** Quiet hours left them out. */
    QUIET_HOURS,
    /** They are due at the same time as another slot, whose run stands for them. */
    MERGED
  }

  public DroppedSlots {
    if (slots < 1 || last.isBefore(first)) {
      throw new IllegalArgumentException(
          "no such stretch: " + slots + " slots from " + first + " to " + last);
    }
    if ((reason == Reason.MERGED) != mergedInto.isPresent()) {
      throw new IllegalArgumentException(reason + " slots, merged into " + mergedInto);
    }
  }

  /** Slots that became no run, neither by a calendar nor by quiet hours. */
  public DroppedSlots(Instant first, Instant last, long slots, Reason reason) {
    this(first, last, slots, reason, Optional.empty(), Optional.empty());
  }

  /** Return the reason as a word, and by what, such as {@code calendar: it}. */
  public String why() {
    String word = reason.name().toLowerCase(Locale.ROOT);
    return by.or(() -> mergedInto.map(Instant::toString))
        .map(name -> word + ": " + name)
        .orElse(word);
  }
}
