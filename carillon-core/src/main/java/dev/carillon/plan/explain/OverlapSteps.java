package dev.carillon.plan.explain;

import dev.carillon.model.EndReason;
import dev.carillon.model.Explanation.Step;
import dev.carillon.model.Explanation.What;
import dev.carillon.model.Run;
import dev.carillon.model.RunState;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Says that another run of the schedule kept this one from starting, or from going on. */
final class OverlapSteps implements StepExplainer {
  @Override
  public List<Step> explain(Finding finding) {
    Optional<Run> run = finding.run();
    Optional<String> reason = run.flatMap(Run::reason);
    if (run.isEmpty() || reason.isEmpty()) {
      return List.of();
    }
    String rule = run.get().overlap().rule().name().toLowerCase(Locale.ROOT);
    if (reason.get().equals(EndReason.REPLACED.text())) {
      return List.of(
          Step.of(What.OVERLAP, "A newer run of the schedule was due and took its place."));
    }
    boolean skipped = run.get().state() == RunState.SKIPPED && !EndReason.isMissed(reason.get());
    return skipped
        ? List.of(
            Step.of(
                What.OVERLAP,
                Sentence.ended(
                    "Its overlap rule is %s, and when it was due, %s"
                        .formatted(
                            rule,
                            Sentence.quoted(
                                reason.get().replace(" is unfinished", " was unfinished"))))))
        : List.of();
  }
}
