package dev.carillon.plan.explain;

import dev.carillon.model.AuditEntry;
import dev.carillon.model.DroppedSlots.Reason;
import dev.carillon.model.Explanation.Step;
import dev.carillon.model.Explanation.What;
import dev.carillon.model.Pause;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Says who paused the schedule, why, and who let it go on. */
final class PauseSteps implements StepExplainer {
  @Override
  public List<Step> explain(Finding finding) {
    if (!finding.isDropped(Reason.PAUSED)) {
      return List.of();
    }
    var steps = new ArrayList<Step>();
    var changes = new Changes(finding);
    Optional<AuditEntry> pause = changes.pause();
    pause.ifPresentOrElse(
        entry -> steps.add(ChangeText.step(What.PAUSE, entry, finding)),
        () ->
            steps.add(
                Step.of(What.PAUSE, Sentence.because("The schedule was paused", reason(finding)))));
    pause
        .flatMap(changes::resume)
        .ifPresent(entry -> steps.add(ChangeText.step(What.PAUSE, entry, finding)));
    if (finding.expected().isPresent()) {
      steps.add(
          Step.of(
              What.PAUSE,
              pauseOf(finding)
                  .flatMap(Pause::until)
                  .map(until -> "It stays paused until %s.".formatted(finding.text(until)))
                  .orElse("It stays paused until somebody resumes it.")));
    }
    return steps;
  }

  private static Optional<String> reason(Finding finding) {
    return finding.expected().isPresent() ? pauseOf(finding).map(Pause::reason) : Optional.empty();
  }

  private static Optional<Pause> pauseOf(Finding finding) {
    var schedule = finding.facts().schedule();
    return schedule.pause().or(schedule::plannedPause);
  }
}
