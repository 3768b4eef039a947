package dev.carillon.plan.explain;

import dev.carillon.model.Explanation.Step;
import dev.carillon.model.Explanation.What;
import dev.carillon.model.SlotOutcome;
import java.util.List;
import java.util.Optional;

/** Says which slots were before and after an instant that is none. */
final class NeighbourSteps implements StepExplainer {
  @Override
  public List<Step> explain(Finding finding) {
    if (finding.isSlot()) {
      return List.of();
    }
    return List.of(
        step(finding, What.PREVIOUS, "before", finding.previous()),
        step(finding, What.NEXT, "after", finding.next()));
  }

  private static Step step(
      Finding finding, What what, String side, Optional<SlotOutcome> neighbour) {
    String text =
        neighbour
            .map(
                slot ->
                    "The slot %s it %s %s: %s"
                        .formatted(
                            side,
                            slot.slot().isAfter(finding.facts().now()) ? "is" : "was",
                            finding.text(slot.slot()),
                            Fates.of(slot, finding)))
            .orElse("No slot %s it is known.".formatted(side));
    return new Step(what, text, Optional.empty(), neighbour.map(SlotOutcome::slot));
  }
}
