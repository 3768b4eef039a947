package dev.carillon.simulation;

import dev.carillon.model.Definition;
import dev.carillon.policy.CatchUp;
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
 * @param retiredAt when the schedule was retired, at the end of it or later
 */
record Stretch(
    int version,
    Definition definition,
    Instant after,
    Instant through,
    Optional<Instant> retiredAt) {

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

  /**
   * Tell whether the run of {@code slot} may have been taken back by the retirement, because it was
   * not due yet: moved by jitter, or by a catch-up that makes it due later.
   */
  boolean mayEndWithout(Instant slot) {
    boolean later =
        definition.catchUp().mode() == CatchUp.Mode.SPREAD
            || definition.catchUp().mode() == CatchUp.Mode.ONCE;
    return retiredAt
        .filter(at -> later || slot.plus(definition.jitter().amount()).isAfter(at))
        .isPresent();
  }

  /** Return it as part of a schedule that was retired at {@code at}, if it was not before. */
  Stretch retired(Instant at) {
    return retiredAt.isPresent()
        ? this
        : new Stretch(version, definition, after, through, Optional.of(at));
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
