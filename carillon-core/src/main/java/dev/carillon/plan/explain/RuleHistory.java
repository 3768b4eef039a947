package dev.carillon.plan.explain;

import dev.carillon.model.Definition;
import dev.carillon.time.DueRule;
import java.time.Instant;
import java.util.List;

/** Which calendars and quiet hours were in force when, as far as an explanation needs to know. */
public interface RuleHistory {
  /** There were never any. */
  RuleHistory NONE =
      new RuleHistory() {
        @Override
        public DueRule at(Definition definition, Instant when) {
          return DueRule.NONE;
        }

        @Override
        public List<RuleChange> changes(Definition definition) {
          return List.of();
        }
      };

  /** Return when slots of {@code definition} were due by what was in force at {@code when}. */
  DueRule at(Definition definition, Instant when);

  /** Return the known changes of what moves or drops slots of {@code definition}, oldest first. */
  List<RuleChange> changes(Definition definition);
}
