package dev.carillon.simulation;

import dev.carillon.model.Definition;
import dev.carillon.policy.CatchUp;
import dev.carillon.time.Once;
import dev.carillon.time.Window;
import java.time.Duration;
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
  private static final Duration CLOCKS_APART = Duration.ofSeconds(1);

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
   * not due yet: moved by jitter, or by a catch-up that spreads, or that makes the newest missed
   * slot due at once on a clock that is a little ahead.
   */
  boolean mayEndWithout(Instant slot) {
    CatchUp.Mode mode = definition.catchUp().mode();
    return retiredAt
        .filter(
            at ->
                mode == CatchUp.Mode.SPREAD
                    || (mode == CatchUp.Mode.ONCE && mayBeCaughtUpAt(at, slot))
                    || slot.plus(definition.jitter().amount()).isAfter(at))
        .isPresent();
  }

  /** Return it as part of a schedule that was retired at {@code at}, if it was not before. */
  Stretch retired(Instant at) {
    return retiredAt.isPresent()
        ? this
        : new Stretch(version, definition, after, through, Optional.of(at));
  }

  private boolean mayBeCaughtUpAt(Instant end, Instant slot) {
    Instant next = definition.timing().next(slot).orElse(slot);
    return next.plus(definition.catchUp().grace()).plus(CLOCKS_APART).isAfter(end);
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
