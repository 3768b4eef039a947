package dev.carillon.plan;

import dev.carillon.model.DroppedSlots;
import dev.carillon.model.DroppedSlots.Reason;
import dev.carillon.plan.SlotDue.Obstacle;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Puts dropped slots that follow each other and have the same reason together. */
final class DropStretches {
  private final List<DroppedSlots> list = new ArrayList<>();
  private boolean open;

  void add(Instant slot, Obstacle obstacle) {
    add(new DroppedSlots(slot, slot, 1, obstacle.reason(), obstacle.by(), Optional.empty()));
  }

  void add(Instant slot, Reason reason) {
    add(new DroppedSlots(slot, slot, 1, reason));
  }

  void addMerged(Instant slot, Instant into) {
    add(new DroppedSlots(slot, slot, 1, Reason.MERGED, Optional.empty(), Optional.of(into)));
  }

  /** A slot that is not dropped ends a stretch. */
  void breakOff() {
    open = false;
  }

  private void add(DroppedSlots one) {
    DroppedSlots last = list.isEmpty() ? one : list.get(list.size() - 1);
    boolean same =
        open
            && last.reason() == one.reason()
            && last.by().equals(one.by())
            && last.mergedInto().equals(one.mergedInto());
    if (same) {
      list.set(
          list.size() - 1,
          new DroppedSlots(
              last.first(),
              one.last(),
              last.slots() + 1,
              one.reason(),
              one.by(),
              one.mergedInto()));
    } else {
      list.add(one);
    }
    open = true;
  }

  List<DroppedSlots> list() {
    return list;
  }
}
