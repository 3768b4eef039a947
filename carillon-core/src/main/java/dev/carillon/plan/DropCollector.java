package dev.carillon.plan;

import dev.carillon.model.DroppedSlots;
import dev.carillon.time.Timing;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;

/** Collects dropped slots as stretches, which break off wherever a slot has a run already. */
final class DropCollector {
  private final Timing timing;
  private final SortedSet<Instant> settled;
  private final List<DroppedSlots> list = new ArrayList<>();

  DropCollector(Timing timing, SortedSet<Instant> settled) {
    this.timing = timing;
    this.settled = settled;
  }

  /** Drop the slots after {@code after} up to and including {@code through}. */
  void add(Instant after, Instant through, DroppedSlots.Reason reason) {
    if (!after.isBefore(through)) {
      return;
    }
    Instant start = after;
    for (Instant taken : settled.subSet(Instants.justAfter(after), Instants.justAfter(through))) {
      addStretch(start, Instants.justBefore(taken), reason);
      start = taken;
    }
    addStretch(start, through, reason);
  }

  /** Return what was dropped, in the order it was added. */
  List<DroppedSlots> list() {
    return list;
  }

  private void addStretch(Instant after, Instant through, DroppedSlots.Reason reason) {
    long slots = timing.count(after, through);
    if (slots > 0) {
      Instant first = timing.next(after).orElseThrow();
      Instant last = timing.previous(Instants.justAfter(through)).orElseThrow();
      list.add(new DroppedSlots(first, last, slots, reason));
    }
  }
}
