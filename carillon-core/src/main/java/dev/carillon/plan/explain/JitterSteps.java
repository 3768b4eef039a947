package dev.carillon.plan.explain;

import dev.carillon.model.Definition;
import dev.carillon.model.DroppedSlots.Reason;
import dev.carillon.model.Explanation.Step;
import dev.carillon.model.Explanation.What;
import dev.carillon.model.Trigger;
import dev.carillon.plan.SlotDue;
import dev.carillon.time.DurationText;
import dev.carillon.time.Jitter;
import java.util.List;
import java.util.Optional;

/** Says by how much jitter moved the due time of a slot. */
final class JitterSteps implements StepExplainer {
  private static final List<Reason> LEFT_OUT =
      List.of(Reason.CALENDAR, Reason.QUIET_HOURS, Reason.MERGED);

  @Override
  public List<Step> explain(Finding finding) {
    Optional<Jitter> jitter =
        finding.judgedBy().map(Definition::jitter).filter(one -> !one.amount().isZero());
    boolean asked = finding.nearRun().filter(run -> run.trigger() != Trigger.SCHEDULED).isPresent();
    if (jitter.isEmpty() || asked || finding.jittered().isEmpty() || isLeftOut(finding)) {
      return List.of();
    }
    String amount = DurationText.of(jitter.get().amount());
    return List.of(
        Step.of(
            What.JITTER,
            finding.jittered().get().equals(finding.due())
                ? "Jitter of up to %s leaves it where it is.".formatted(amount)
                : "Jitter of up to %s puts its due time at %s."
                    .formatted(amount, finding.text(finding.jittered().get()))));
  }

  private static boolean isLeftOut(Finding finding) {
    return finding.judged().flatMap(SlotDue::obstacle).isPresent()
        || LEFT_OUT.stream().anyMatch(finding::isDropped);
  }
}
