package dev.carillon.plan.explain;

import dev.carillon.model.Definition;
import dev.carillon.model.Explanation.Step;
import dev.carillon.model.Explanation.What;
import java.util.List;
import java.util.Optional;

/** Says that a schedule had as many runs as it may. */
final class MaxRunsSteps implements StepExplainer {
  @Override
  public List<Step> explain(Finding finding) {
    Optional<Definition> definition =
        finding.inForce().filter(one -> one.maxRuns() > 0 && one.window().contains(finding.at()));
    return finding.isSlot() || !finding.isNamed()
        ? List.of()
        : definition.stream()
            .map(
                one ->
                    Step.of(
                        What.MAX_RUNS,
                        "The schedule has at most %s, and all of them %s used by then."
                            .formatted(runs(one.maxRuns()), finding.isPast() ? "were" : "are")))
            .toList();
  }

  private static String runs(long count) {
    return count == 1 ? "1 run" : count + " runs";
  }
}
