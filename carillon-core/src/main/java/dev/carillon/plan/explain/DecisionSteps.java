package dev.carillon.plan.explain;

import dev.carillon.model.Decision;
import dev.carillon.model.DroppedSlots;
import dev.carillon.model.Explanation.Step;
import dev.carillon.model.Explanation.What;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Says which decision is recorded about a slot. */
final class DecisionSteps implements StepExplainer {
  @Override
  public List<Step> explain(Finding finding) {
    return finding.decision().stream()
        .map(
            decision ->
                new Step(
                    What.DECISION,
                    text(finding, decision),
                    Optional.empty(),
                    Optional.of(decision.decidedAt())))
        .toList();
  }

  private static String text(Finding finding, Decision decision) {
    DroppedSlots dropped = decision.droppedSlots();
    String when = finding.text(decision.decidedAt());
    String reason = dropped.reason().name().toLowerCase(Locale.ROOT);
    return dropped.slots() == 1
        ? "It became no run (%s), as was decided at %s.".formatted(reason, when)
        : "It became no run (%s), as was decided at %s for all %s slots from %s to %s."
            .formatted(
                reason,
                when,
                dropped.slots(),
                finding.text(dropped.first()),
                finding.text(dropped.last()));
  }
}
