package dev.carillon.simulation;

import dev.carillon.model.RunId;
import dev.carillon.simulation.Books.Kept;
import dev.carillon.simulation.Books.Logged;
import dev.carillon.time.DueRule;
import java.util.Set;

/** What is late when all is well again does not start in quiet time. */
final class HeldBackLaws {
  private final Books books;
  private final Set<RunId> late;
  private final Violations violations;

  HeldBackLaws(Books books, Set<RunId> late, Violations violations) {
    this.books = books;
    this.late = late;
    this.violations = violations;
  }

  void check() {
    for (Kept schedule : books.schedules()) {
      DueRule rule = books.rules().ruleOrNone(schedule.current());
      books.runsOf(schedule.id()).stream()
          .filter(run -> late.contains(run.id()) && run.attempt() == 1 && !run.asked())
          .forEach(run -> check(rule, run));
    }
  }

  private void check(DueRule rule, Logged run) {
    run.startedAt()
        .ifPresent(
            at ->
                violations.check(
                    rule.heldBack(at).isEmpty(),
                    "held back",
                    "%s was due at %s and started at %s, in quiet time",
                    run,
                    run.dueAt(),
                    at));
  }
}
