package dev.carillon.plan.explain;

import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.model.Trigger;
import java.time.Instant;
import java.util.Optional;

/**
 * A run at or near the instant that is asked about.
 *
 * @param id its identity
 * @param version the version it was planned by
 * @param trigger what caused it
 * @param dueAt when it was to start
 * @param state where it is in its life
 * @param reason why it failed, was canceled or skipped
 * @param by who asked for it, if somebody did
 */
public record NearRun(
    RunId id,
    int version,
    Trigger trigger,
    Instant dueAt,
    RunState state,
    Optional<String> reason,
    Optional<String> by) {

  /** Tell whether it is the run of a slot, rather than one that somebody asked for besides. */
  boolean isOfSlot() {
    return id.ordinal() == 0;
  }

  /** Return the same without what its target said. */
  public NearRun withoutReason() {
    return new NearRun(id, version, trigger, dueAt, state, Optional.empty(), by);
  }
}
