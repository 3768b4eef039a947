package dev.carillon.store.run;

import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.model.Trigger;
import dev.carillon.policy.RunPolicy;
import dev.carillon.store.jdbc.Row;
import java.util.Optional;

/** A run that ended, with the data that its effects need. */
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
        row.constant("trigger", Trigger.class),
        row.constant("state", RunState.class),
        row.optionalNumber("lane"),
        row.optionalText("sequel"),
        RunPolicyJson.read(row.optionalText("policy")),
        row.optionalText("code").map(code -> code + ": " + row.optionalText("message").orElse("")));
  }

  EndedRun keepingLane() {
    return new EndedRun(id, trigger, state, Optional.empty(), sequel, policy, failure);
  }

  boolean ofSchedule() {
    return trigger != Trigger.AD_HOC;
  }
}
