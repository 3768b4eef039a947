package dev.carillon.simulation;

import dev.carillon.model.Definition;
import dev.carillon.time.Once;
import dev.carillon.time.Window;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A time in which one definition of a schedule named its slots.
 *
 * @param version the number of the definition
 * @param definition the definition
 * @param after slots after this
 * @param through slots up to and including this
 */
record Stretch(int version, Definition definition, Instant after, Instant through) {
  /** Return the slots of this stretch that lie in {@code window}, walked one by one. */
  List<Instant> slots(Window window) {
    var slots = new ArrayList<Instant>();
    Instant at = after;
    while (true) {
      Optional<Instant> next = definition.timing().next(at);
      if (next.isEmpty() || next.get().isAfter(through)) {
        return slots;
      }
      at = next.get();
      if (window.contains(at)) {
        slots.add(at);
      }
    }
  }

  /** Return from when the slots of {@code definition} count if it was made at {@code at}. */
  static Instant floor(Definition definition, Instant at) {
    boolean late =
        definition.timing() instanceof Once once
            && !once.at().isAfter(at)
            && !once.at().isBefore(at.minus(definition.catchUp().grace()));
    return late ? ((Once) definition.timing()).at().minusNanos(1_000) : at;
  }
}
