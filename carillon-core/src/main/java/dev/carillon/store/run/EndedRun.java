package dev.carillon.store.run;

import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.model.Trigger;
import dev.carillon.policy.RunPolicy;
import dev.carillon.store.jdbc.EnumText;
import dev.carillon.store.jdbc.Row;
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
record EndedRun(
    RunId id,
    Trigger trigger,
    RunState state,
    Optional<Long> lane,
    Optional<String> sequel,
    RunPolicy policy,
    Optional<String> failure) {

  static EndedRun of(Row row) {
    return new EndedRun(
        RunRows.toId(row),
        EnumText.read(Trigger.class, row.text("trigger")),
        EnumText.read(RunState.class, row.text("state")),
        row.optionalNumber("lane"),
        row.optionalText("sequel"),
        RunPolicyJson.read(row.optionalText("policy")),
        row.optionalText("code").map(code -> code + ": " + row.optionalText("message").orElse("")));
  }

  EndedRun keepingLane() {
    return new EndedRun(id, trigger, state, Optional.empty(), sequel, policy, failure);
  }

  /** Tell whether a schedule learns from this end. */
  boolean ofSchedule() {
    return trigger != Trigger.AD_HOC;
  }
}
