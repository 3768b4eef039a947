package dev.carillon.model;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** Where a run is in its life. {@code docs/states.md} draws the same picture. */
public enum RunState {
  PENDING,
  RUNNING,
  SUCCEEDED,
  FAILED,
  CANCELED,
  SKIPPED;

  private static final Map<RunState, Set<RunState>> NEXT =
      Map.of(
          PENDING, EnumSet.of(RUNNING, CANCELED, SKIPPED),
          // Pending again: a retry, a recovery, or given back by a node that stops.
          RUNNING, EnumSet.of(SUCCEEDED, FAILED, CANCELED, PENDING),
          // An operator's "run again".
          FAILED, EnumSet.of(PENDING),
          CANCELED, EnumSet.of(PENDING),
          SKIPPED, EnumSet.of(PENDING),
          SUCCEEDED, EnumSet.noneOf(RunState.class));

  /** Tell whether a run in this state may become {@code next}. */
  public boolean canBecome(RunState next) {
    return NEXT.getOrDefault(this, Set.of()).contains(next);
  }

  /** Return {@code next}, or fail naming what was allowed. */
  public RunState become(RunState next) {
    if (canBecome(next)) {
      return next;
    }
    throw new IllegalStateException(
        "a " + this + " run cannot become " + next + "; it can become " + NEXT.get(this));
  }

  /** Tell whether a run in this state is over, unless an operator runs it again. */
  public boolean isFinal() {
    return this != PENDING && this != RUNNING;
  }
}
