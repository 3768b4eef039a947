package dev.carillon.time;

import java.time.Duration;
import java.time.Instant;

/**
 * A shift of due times that spreads schedules of the same slot over a stretch, so that they do not
 * all strike at once.
 *
 * <p>The shift depends on nothing but the key of the schedule and the slot: whoever computes it,
 * whenever, gets the same due time. Slots stay in order: neighbours closer than two shifts share
 * the time between them half and half, so that no slot is due before the one before it was, nor
 * after the next slot.
 *
 * @param amount the largest shift, in milliseconds; zero for none
 * @param mode to which side of the slot
 */
public record Jitter(Duration amount, Mode mode) {
  /** The largest shift accepted. */
  public static final Duration LARGEST = Duration.ofDays(366);

  /** No shift at all. */
  public static final Jitter NONE = new Jitter(Duration.ZERO, Mode.AROUND);

  /** To which side of the slot a run may be shifted. */
  public enum Mode {
    /** Before and after, evenly. */
    AROUND,
    /** After only. */
    AFTER
  }

  public Jitter {
    if (amount.isNegative() || amount.compareTo(LARGEST) > 0) {
      throw new InvalidValueException(
          "jitter must be from 0 to " + LARGEST.toDays() + "d; was " + amount);
    }
  }

  /** Shift by up to {@code amount} to either side. */
  public static Jitter around(Duration amount) {
    return new Jitter(amount, Mode.AROUND);
  }

  /** Shift by up to {@code amount}, never before the slot. */
  public static Jitter after(Duration amount) {
    return new Jitter(amount, Mode.AFTER);
  }

  /** Return when the run for {@code slot} of the schedule called {@code key} is due. */
  public Instant dueAt(Timing timing, String key, Instant slot) {
    if (amount.isZero()) {
      return slot;
    }
    long most = amount.toMillis();
    long later = timing.next(slot).map(next -> Math.min(most, share(slot, next))).orElse(most);
    long earlier = 0;
    if (mode == Mode.AROUND) {
      earlier =
          timing.previous(slot).map(before -> Math.min(most, share(before, slot))).orElse(most);
    }
    long shift = Long.remainderUnsigned(draw(key, slot), earlier + later + 1) - earlier;
    return slot.plusMillis(shift);
  }

  /** The part of the time between two neighbouring slots that belongs to one of them. */
  private long share(Instant slot, Instant next) {
    long distance = Duration.between(slot, next).toMillis();
    return mode == Mode.AROUND ? distance / 2 : distance;
  }

  /** A number that looks random but is the same for the same schedule and slot. */
  private static long draw(String key, Instant slot) {
    long hash = 0xcbf2_9ce4_8422_2325L; // FNV-1a over the key, then splitmix64 with the slot
    for (int i = 0; i < key.length(); i++) {
      hash = (hash ^ key.charAt(i)) * 0x100_0000_01b3L;
    }
    long mixed = hash + slot.getEpochSecond() * 0x9e37_79b9_7f4a_7c15L;
    mixed = (mixed ^ mixed >>> 30) * 0xbf58_476d_1ce4_e5b9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94d0_49bb_1331_11ebL;
    return mixed ^ mixed >>> 31;
  }
}
