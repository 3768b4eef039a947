package dev.carillon.time;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Optional;

/**
 * What a clock change does to a local time that a timing names.
 *
 * @param effect what it does
 * @param named the local time that the timing names
 * @param from the local time at which the clocks are set
 * @param to the local time to which they are set
 * @param slot the slot that stands for that local time; empty if there is none
 */
public record ClockChange(
    Effect effect,
    LocalDateTime named,
    LocalDateTime from,
    LocalDateTime to,
    Optional<Instant> slot) {

  /** What becomes of a local time. */
  public enum Effect {
    /** The clocks skip it, and the end of the gap is used instead. */
    MOVED,
    /** The clocks skip it, and nothing is used instead. */
    LEFT_OUT,
    /** It comes twice and this is the first of two slots. */
    FIRST_OF_TWO,
    /** It comes twice, this is the first time, and only the first is a slot. */
    ONLY_FIRST,
    /** It comes twice and this is the second of two slots. */
    SECOND_OF_TWO,
    /** It comes twice, this is the second time, and only the first is a slot. */
    NOT_AGAIN
  }

  /**
   * Return what a clock change does at {@code instant}: to the slot at it, or, if it is none, to
   * the local time that would have been a slot at it but for the change.
   */
  public static Optional<ClockChange> at(Timing timing, Instant instant) {
    if (instant.getNano() != 0) {
      return Optional.empty();
    }
    long second = instant.getEpochSecond();
    if (timing instanceof Cron cron) {
      return at(cron.slots(), second, timing.matches(instant));
    }
    return timing instanceof EveryPeriod every
        ? at(every.slots(), second, timing.matches(instant))
        : Optional.empty();
  }

  static Optional<ClockChange> at(ZonedSlots slots, long instant, boolean isSlot) {
    long second = ZoneOffsets.clamp(instant);
    ZoneOffsets offsets = slots.zoneOffsets();
    int span = offsets.spanAt(second);
    long local = second + offsets.offset(span);
    if (span > 0 && offsets.localStart(span) > offsets.localEnd(span - 1)) {
      Optional<ClockChange> skipped = inGap(slots, second, span, isSlot);
      if (skipped.isPresent()) {
        return skipped;
      }
    }
    if (span > 0 && local < offsets.localEnd(span - 1)) {
      return inSecondPass(slots, second, span, isSlot);
    }
    if (isSlot && span < offsets.last() && local >= offsets.localStart(span + 1)) {
      Effect effect = slots.firstPassOnly() ? Effect.ONLY_FIRST : Effect.FIRST_OF_TWO;
      return Optional.of(of(effect, offsets, span + 1, local, second));
    }
    return Optional.empty();
  }

  /* An instant in the gap is one at which clocks that nobody had set would show a skipped time. */
  private static Optional<ClockChange> inGap(
      ZonedSlots slots, long second, int span, boolean isSlot) {
    ZoneOffsets offsets = slots.zoneOffsets();
    long end = offsets.localEnd(span - 1);
    if (second == offsets.start(span) && slots.startsWithMovedSlot(span)) {
      long named = slots.slots().atOrAfter(end);
      return Optional.of(of(Effect.MOVED, offsets, span, named, second));
    }
    long unset = second + offsets.offset(span - 1);
    if (isSlot || unset >= offsets.localStart(span) || !names(slots, unset)) {
      return Optional.empty();
    }
    return Optional.of(
        slots.firesAfterGap()
            ? of(Effect.MOVED, offsets, span, unset, offsets.start(span))
            : of(Effect.LEFT_OUT, offsets, span, unset, ZonedSlots.NEVER));
  }

  private static Optional<ClockChange> inSecondPass(
      ZonedSlots slots, long second, int span, boolean isSlot) {
    ZoneOffsets offsets = slots.zoneOffsets();
    long local = second + offsets.offset(span);
    if (isSlot) {
      return Optional.of(of(Effect.SECOND_OF_TWO, offsets, span, local, second));
    }
    return slots.firstPassOnly() && names(slots, local)
        ? Optional.of(of(Effect.NOT_AGAIN, offsets, span, local, local - offsets.offset(span - 1)))
        : Optional.empty();
  }

  private static boolean names(ZonedSlots slots, long local) {
    return slots.slots().count(local, local + 1) > 0;
  }

  private static ClockChange of(
      Effect effect, ZoneOffsets offsets, int span, long named, long slot) {
    return new ClockChange(
        effect,
        local(named),
        local(offsets.localEnd(span - 1)),
        local(offsets.localStart(span)),
        slot == ZonedSlots.NEVER ? Optional.empty() : Optional.of(Instant.ofEpochSecond(slot)));
  }

  private static LocalDateTime local(long second) {
    return LocalDateTime.ofEpochSecond(second, 0, ZoneOffset.UTC);
  }
}
