package dev.carillon.store;

import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.model.Trigger;
import dev.carillon.policy.RunPolicy;
import java.util.Optional;

/**
 * A run that is over, and what hangs on it.
 *
 * @param id the run
 * @param trigger what caused it
 * @param state how it ended
 * @param lane the lane it was alone in
 * @param sequel what its end brings about
 * @param policy how failures of it count
 * @param failure the code and message of its failure
 */
record Ended(
    RunId id,
    Trigger trigger,
    RunState state,
    Optional<Long> lane,
    Optional<String> sequel,
    RunPolicy policy,
    Optional<String> failure) {

  static Ended of(Row row) {
    return new Ended(
        RunRows.toId(row),
        Words.read(Trigger.class, row.text("trigger")),
        Words.read(RunState.class, row.text("state")),
        row.optionalNumber("lane"),
        row.optionalText("sequel"),
        PolicyJson.read(row.optionalText("policy")),
        row.optionalText("code").map(code -> code + ": " + row.optionalText("message").orElse("")));
  }

  Ended keepingLane() {
    return new Ended(id, trigger, state, Optional.empty(), sequel, policy, failure);
  }

  /** Tell whether a schedule learns from this end. */
  boolean ofSchedule() {
    return trigger != Trigger.AD_HOC;
  }
}
