package dev.carillon.time;

import java.time.Duration;
import java.time.Instant;

/**
 * A shift of due times that spreads schedules with the same slot, so that they do not all fire at
 * once.
 *
 * <p>The shift depends only on the key of the schedule and the slot, so every node computes the
 * same due time. Due times stay in the order of slots: if neighbouring slots are closer than two
 * shifts, each gets half of the time between them, so that no slot is due before the previous one
 * or after the next slot.
 *
 * @param amount the largest shift, in milliseconds; zero for none
 * @param mode the direction of the shift
 */
public record Jitter(Duration amount, Mode mode) {
  /** The largest shift accepted. */
  public static final Duration MAX_AMOUNT = Duration.ofDays(366);

  /** No shift at all. */
  public static final Jitter NONE = new Jitter(Duration.ZERO, Mode.AROUND);

  /** The direction of a shift. */
  public enum Mode {
    /** Before and after the slot, evenly. */
    AROUND,
    /** After the slot only. */
    AFTER
  }

  public Jitter {
    if (amount.isNegative() || amount.compareTo(MAX_AMOUNT) > 0) {
      throw new InvalidValueException(
          "jitter must be from 0 to " + MAX_AMOUNT.toDays() + "d; was " + amount);
    }
  }

  /** Shift by up to {@code amount} in either direction. */
  public static Jitter around(Duration amount) {
    return new Jitter(amount, Mode.AROUND);
  }

  /** Shift by up to {@code amount}, never before the slot. */
  public static Jitter after(Duration amount) {
    return new Jitter(amount, Mode.AFTER);
  }

  /** Return when the run for {@code slot} of the schedule {@code key} is due. */
  public Instant dueAt(Timing timing, String key, Instant slot) {
    if (amount.isZero()) {
      return slot;
    }
    Bounds bounds = bounds(timing, slot);
    return slot.plusMillis(bounds.shift(seed(key), slot.getEpochSecond()));
  }

  /** Return how far {@code slot} may be shifted, which is the same for all schedules. */
  public Bounds bounds(Timing timing, Instant slot) {
    long most = amount.toMillis();
    long later = timing.next(slot).map(next -> Math.min(most, limit(slot, next))).orElse(most);
    long earlier = 0;
    if (mode == Mode.AROUND) {
      earlier =
          timing.previous(slot).map(before -> Math.min(most, limit(before, slot))).orElse(most);
    }
    return new Bounds(earlier, later);
  }

  /**
   * How far a slot may be shifted, in milliseconds.
   *
   * @param earlier the longest shift to an earlier time
   * @param later the longest shift to a later time
   */
  public record Bounds(long earlier, long later) {
    /** Return the shift of the slot at {@code epochSecond} for the schedule with {@code seed}. */
    public long shift(long seed, long epochSecond) {
      return Long.remainderUnsigned(hash(seed, epochSecond), earlier + later + 1) - earlier;
    }
  }

  /**
   * Return when the run for {@code slot} is due that calendars or quiet hours moved to {@code due}:
   * at or after that, so that it stays in the time it was moved to the beginning of, and not after
   * the next slot. A due time that is the slot was not moved.
   */
  public Instant dueAt(Timing timing, String key, Instant slot, Instant due) {
    if (due.equals(slot)) {
      return dueAt(timing, key, slot);
    }
    if (amount.isZero()) {
      return due;
    }
    long most = amount.toMillis();
    long later =
        timing
            .next(due)
            .map(next -> Math.min(most, Duration.between(due, next).toMillis()))
            .orElse(most);
    return due.plusMillis(
        Long.remainderUnsigned(hash(seed(key), slot.getEpochSecond()), later + 1));
  }

  /** Return the longest shift of one slot towards its neighbour. */
  private long limit(Instant slot, Instant next) {
    long distance = Duration.between(slot, next).toMillis();
    return mode == Mode.AROUND ? distance / 2 : distance;
  }

  /** Return the number that stands for the schedule {@code key} in its shifts. */
  public static long seed(String key) {
    long fnv = 0xcbf2_9ce4_8422_2325L; // FNV-1a
    for (int i = 0; i < key.length(); i++) {
      fnv = (fnv ^ key.charAt(i)) * 0x100_0000_01b3L;
    }
    return fnv;
  }

  /** Return a pseudo-random number that is the same for the same schedule and slot. */
  private static long hash(long seed, long epochSecond) {
    long mixed = seed + epochSecond * 0x9e37_79b9_7f4a_7c15L; // splitmix64
    mixed = (mixed ^ mixed >>> 30) * 0xbf58_476d_1ce4_e5b9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94d0_49bb_1331_11ebL;
    return mixed ^ mixed >>> 31;
  }
}
