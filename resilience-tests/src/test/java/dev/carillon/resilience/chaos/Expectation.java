package dev.carillon.resilience.chaos;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The slots that a schedule which fires every second must have had.
 *
 * @param schedule its key
 * @param exclusive whether its runs may not overlap
 * @param first the first slot that it has for sure
 * @param last the last slot that it has for sure
 */
record Expectation(String schedule, boolean exclusive, Instant first, Instant last) {
  List<Instant> slots() {
    var slots = new ArrayList<Instant>();
    for (Instant slot = first; !slot.isAfter(last); slot = slot.plusSeconds(1)) {
      slots.add(slot);
    }
    return slots;
  }
}
