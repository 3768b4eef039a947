package dev.carillon.plan.explain;

import dev.carillon.model.Explanation.Step;
import dev.carillon.model.Explanation.What;
import dev.carillon.time.Due;
import dev.carillon.time.Due.Policy;
import java.util.List;
import java.util.Optional;

/** Says of an instant that is no slot which slots had their due time moved to it. */
final class DueThenSteps implements StepExplainer {
  @Override
  public List<Step> explain(Finding finding) {
    return finding.dueThen().slots().stream().map(moved -> step(finding, moved)).toList();
  }

  private static Step step(Finding finding, DueThen.Moved moved) {
    List<Due.Move> moves = moved.judged().slot().moves();
    Due.Move last = moves.get(moves.size() - 1);
    String due = moved.outcome().dueAt().isAfter(finding.facts().now()) ? "is" : "was";
    String text =
        "The run of slot %s %s due then: %s"
            .formatted(
                finding.text(moved.outcome().slot()),
                due,
                RuleText.clause(finding, moved.judged(), last));
    return new Step(
        last.policy() == Policy.CALENDAR ? What.CALENDAR : What.QUIET_HOURS,
        text,
        Optional.empty(),
        Optional.of(moved.outcome().slot()));
  }
}
