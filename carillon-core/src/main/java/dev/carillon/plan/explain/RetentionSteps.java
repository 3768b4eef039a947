package dev.carillon.plan.explain;

import dev.carillon.model.Explanation.Outcome;
import dev.carillon.model.Explanation.Step;
import dev.carillon.model.Explanation.What;
import dev.carillon.time.DurationText;
import java.util.List;

/** Says that what is known about a slot has been deleted. */
final class RetentionSteps implements StepExplainer {
  @Override
  public List<Step> explain(Finding finding) {
    if (finding.outcome() != Outcome.UNKNOWN && (finding.isSlot() || !finding.isOld())) {
      return List.of();
    }
    if (!finding.isOld()) {
      return List.of(Step.of(What.RETENTION, "Nothing is recorded about it."));
    }
    Facts facts = finding.facts();
    return List.of(
        Step.of(
            What.RETENTION,
            "History is kept for %s: what was before %s is deleted, and what became of it not known."
                .formatted(DurationText.of(facts.retention()), finding.text(facts.keptFrom()))));
  }
}
