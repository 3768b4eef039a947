package dev.carillon;

import dev.carillon.model.Definition;
import dev.carillon.policy.Deadline;
import dev.carillon.policy.Expectation;
import dev.carillon.time.AllowedZones;
import dev.carillon.time.Zones;

/**
 * What this node lets schedules name.
 *
 * @param targets the labels they may have as their target
 * @param zones the time zones they may use
 */
record AllowedReferences(KnownTargets targets, AllowedZones zones) {
  /** Refuse a definition that names something else. */
  void check(String key, Definition definition) {
    targets.check(key, definition.target());
    Zones.of(definition.timing()).ifPresent(zones::check);
    definition
        .expect()
        .flatMap(Expectation::escalateTo)
        .ifPresent(
            target ->
                targets.require("schedule '" + key + "' has the", "expect/escalateTo", target));
    definition.deadline().ifPresent(deadline -> check("schedule '" + key + "' has the", deadline));
  }

  /** Refuse a deadline of {@code subject} that names an unknown target. */
  private void check(String subject, Deadline deadline) {
    targets.require(subject, "deadline/escalateTo", deadline.escalateTo());
  }
}
