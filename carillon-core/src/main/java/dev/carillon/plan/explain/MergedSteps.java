package dev.carillon.plan.explain;

import dev.carillon.model.DroppedSlots.Reason;
import dev.carillon.model.Explanation.Step;
import dev.carillon.model.Explanation.What;
import java.time.Instant;
import java.util.List;

/** Says whose run stands for a slot that is due at the same time as another. */
final class MergedSteps implements StepExplainer {
  @Override
  public List<Step> explain(Finding finding) {
    return finding.isDropped(Reason.MERGED)
        ? finding.mergedInto().stream()
            .map(slot -> Step.of(What.MERGED, text(finding, slot)))
            .toList()
        : List.of();
  }

  private static String text(Finding finding, Instant slot) {
    String fate =
        finding.facts().runs().stream()
            .filter(run -> run.isOfSlot() && run.id().slot().equals(slot))
            .findFirst()
            .map(run -> ", which " + Fates.of(run.state()))
            .orElse("");
    return "Two slots that are due at the same time are one run: it is merged into the run of slot %s%s."
        .formatted(finding.text(slot), fate);
  }
}
