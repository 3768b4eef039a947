package dev.carillon.plan;

import dev.carillon.model.Definition;
import dev.carillon.plan.FireGroup.Stretch;
import dev.carillon.time.Every;
import dev.carillon.time.Timing;
import dev.carillon.time.Window;
import java.time.Instant;
import java.util.Optional;

/** Counts slots by minute without looking at each of them. */
final class SlotCounter {
  private final FireTally tally;
  private final Instant from;
  private final Instant last;

  /** Count the slots from {@code from} until before {@code to}. */
  SlotCounter(FireTally tally, Instant from, Instant to) {
    this.tally = tally;
    this.from = Instants.justBefore(from);
    this.last = Instants.justBefore(to);
  }

  /**
   * Add the slots of {@code stretch} to {@code counts}, of which {@code left} become runs at most.
   *
   * @return how many of those are left then
   */
  long count(Definition definition, Stretch stretch, long left, MinuteCounts counts) {
    Window window = definition.window();
    Timing timing = definition.timing();
    Instant after = Instants.later(stretch.after(), from);
    Instant through = Instants.earlier(stretch.through(), last);
    long remaining = left;
    if (left != Long.MAX_VALUE) {
      Instant before = Instants.earlier(after, stretch.through());
      remaining -= window.between(timing, stretch.after(), before).count();
    }
    if (remaining <= 0 || !after.isBefore(through)) {
      return Math.max(0, remaining);
    }
    return timing instanceof Every every
        ? arithmetic(every, inside(window, after, through), remaining, counts)
        : walked(definition, new Stretch(after, through), remaining, counts);
  }

  private static Stretch inside(Window window, Instant after, Instant through) {
    return new Stretch(
        after.isBefore(window.from()) ? Instants.justBefore(window.from()) : after,
        Instants.earlier(through, window.until()));
  }

  private long arithmetic(Every every, Stretch stretch, long left, MinuteCounts counts) {
    long period = every.period().toSeconds();
    long anchor = every.anchor().getEpochSecond();
    long first = every.next(stretch.after()).map(Instant::getEpochSecond).orElse(Long.MAX_VALUE);
    long through = stretch.through().getEpochSecond();
    long remaining = left;
    for (long slot = first; slot <= through && remaining > 0; ) {
      int minute = tally.minuteOf(slot * 1_000);
      long end = Math.min(tally.lastSecondOf(minute), through);
      long count = Math.min(remaining, (end - slot) / period + 1);
      counts.add(minute, count);
      remaining -= count;
      slot = anchor + (Math.floorDiv(end - anchor, period) + 1) * period;
    }
    return remaining;
  }

  private long walked(Definition definition, Stretch stretch, long left, MinuteCounts counts) {
    Window window = definition.window();
    Timing timing = definition.timing();
    long remaining = left;
    Optional<Instant> slot = within(window.next(timing, stretch.after()), stretch);
    while (slot.isPresent() && remaining > 0) {
      int minute = tally.minuteOf(slot.get().toEpochMilli());
      Instant end = Instants.justBefore(Instant.ofEpochSecond(tally.lastSecondOf(minute) + 1));
      Optional<Instant> next = within(window.next(timing, slot.get()), stretch);
      long count = 1;
      if (next.isPresent() && !next.get().isAfter(end)) {
        Instant through = Instants.earlier(end, stretch.through());
        count += window.between(timing, slot.get(), through).count();
        next = within(window.next(timing, end), stretch);
      }
      count = Math.min(count, remaining);
      counts.add(minute, count);
      remaining -= count;
      slot = next;
    }
    return remaining;
  }

  private static Optional<Instant> within(Optional<Instant> slot, Stretch stretch) {
    return slot.filter(one -> !one.isAfter(stretch.through()));
  }
}
