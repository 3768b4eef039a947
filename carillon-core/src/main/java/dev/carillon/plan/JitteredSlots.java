package dev.carillon.plan;

import dev.carillon.time.Jitter;
import dev.carillon.time.Timing;
import java.time.Instant;
import java.util.Optional;

/**
 * The slots of a timing whose fires may be due in a period, with how far jitter may move each: the
 * same for all schedules with this timing, so that each schedule costs a few steps per slot.
 */
final class JitteredSlots {
  private final Instant[] slots;
  private final Jitter.Bounds[] bounds;

  private JitteredSlots(Instant[] slots, Jitter.Bounds[] bounds) {
    this.slots = slots;
    this.bounds = bounds;
  }

  /**
   * Return where these slots lie. Jitter moves no slot past its neighbours: besides the slots of
   * the period only the last before it and the first after it may be due in it.
   */
  static FireGroup.Stretch reach(Timing timing, Instant from, Instant to) {
    Optional<Instant> before = timing.previous(from);
    Optional<Instant> after = timing.next(Instants.justBefore(to));
    return new FireGroup.Stretch(Instants.justBefore(before.orElse(from)), after.orElse(to));
  }

  static JitteredSlots of(Timing timing, Jitter jitter, FireGroup.Stretch reach, int count) {
    var slots = new Instant[count];
    var bounds = new Jitter.Bounds[count];
    int index = 0;
    for (Instant slot : timing.between(reach.after(), reach.through())) {
      slots[index] = slot;
      bounds[index] = jitter.bounds(timing, slot);
      index++;
    }
    return new JitteredSlots(slots, bounds);
  }

  int size() {
    return slots.length;
  }

  Instant slot(int index) {
    return slots[index];
  }

  /** Return when the run of a slot is due for the schedule with {@code seed}, in milliseconds. */
  long dueAt(int index, long seed) {
    Instant slot = slots[index];
    return slot.toEpochMilli() + bounds[index].shift(seed, slot.getEpochSecond());
  }
}
