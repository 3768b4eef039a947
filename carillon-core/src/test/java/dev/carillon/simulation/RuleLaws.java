package dev.carillon.simulation;

import dev.carillon.model.Definition;
import dev.carillon.plan.DuePipeline;
import dev.carillon.plan.SlotDue;
import dev.carillon.policy.CatchUp;
import dev.carillon.policy.Pacing;
import dev.carillon.simulation.Books.Decided;
import dev.carillon.simulation.Books.Kept;
import dev.carillon.simulation.Books.Logged;
import dev.carillon.time.DueRule;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What is planned is planned by the calendars and quiet hours of now, and what is left out says so.
 */
final class RuleLaws {
  private final Books books;
  private final Instant now;
  private final Violations violations;

  RuleLaws(Books books, Instant now, Violations violations) {
    this.books = books;
    this.now = now;
    this.violations = violations;
  }

  void check() {
    for (Kept schedule : books.schedules()) {
      List<Logged> runs = books.runsOf(schedule.id());
      List<Decided> decisions = books.decisionsOf(schedule.id());
      for (Decided one : decisions) {
        merged(schedule, one, runs);
        audited(schedule, one);
      }
      if (schedule.status().equals("active")) {
        plannedByTheRules(schedule, runs);
      }
    }
  }

  private void merged(Kept schedule, Decided one, List<Logged> runs) {
    one.mergedInto()
        .ifPresent(
            into ->
                violations.check(
                    !one.covers(into)
                        && runs.stream().anyMatch(run -> run.id().slot().equals(into)),
                    "merged",
                    "%s merged %s into a slot that has no run",
                    schedule.key(),
                    one));
  }

  private void audited(Kept schedule, Decided one) {
    violations.check(
        !one.reason().equals("quiet_hours")
            || schedule.changes().stream()
                .anyMatch(change -> change.action().equals("schedule.skipped")),
        "audited",
        "%s skipped %s, and the audit does not say so",
        schedule.key(),
        one);
  }

  /* Runs that wait, that nobody asked for, and that catch-up has not put off. */
  private void plannedByTheRules(Kept schedule, List<Logged> runs) {
    Definition definition = schedule.current();
    DueRule rule = books.rules().ruleOrNone(definition);
    var pipeline = new DuePipeline(schedule.key(), definition, rule);
    boolean plain =
        definition.catchUp().mode() != CatchUp.Mode.SPREAD && definition.pacing() == Pacing.SLOT;
    Map<Instant, Logged> dues = new HashMap<>();
    for (Logged run : runs) {
      boolean waits =
          run.live()
              && run.ofSlot()
              && run.state().equals("pending")
              && run.attempt() == 0
              && run.version() == schedule.versions().lastKey()
              && run.dueAt().isAfter(now);
      if (waits && plain) {
        SlotDue judged = pipeline.judge(run.id().slot());
        violations.check(
            judged.obstacle().isEmpty()
                && (judged.dueAt().equals(run.dueAt())
                    || isHeldBack(rule, judged, run, definition.calendar().isPresent())),
            "by the rules",
            "%s is due at %s, but should be: %s",
            run,
            run.dueAt(),
            judged);
        violations.check(
            rule.allows(run.dueAt()),
            "business time",
            "%s is due at %s, which is quiet or no business time",
            run,
            run.dueAt());
        violations.check(
            dues.putIfAbsent(judged.due(), run) == null,
            "one run per due time",
            "%s of %s is due with another",
            run,
            schedule.key());
      }
    }
  }

  /* It was late, and waits for the end of quiet time, or for the business time after that. */
  private static boolean isHeldBack(DueRule rule, SlotDue judged, Logged run, boolean rolls) {
    return !judged.due().isAfter(run.dueAt())
        && (rolls || rule.heldBack(run.dueAt().minusMillis(1)).isPresent())
        && rule.heldBack(run.dueAt()).isEmpty();
  }
}
