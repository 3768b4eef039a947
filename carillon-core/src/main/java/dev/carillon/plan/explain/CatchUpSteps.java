package dev.carillon.plan.explain;

import dev.carillon.model.AuditEntry;
import dev.carillon.model.ChangedBy;
import dev.carillon.model.Decision;
import dev.carillon.model.Definition;
import dev.carillon.model.DroppedSlots.Reason;
import dev.carillon.model.Explanation.Step;
import dev.carillon.model.Explanation.What;
import dev.carillon.model.RunState;
import dev.carillon.model.Trigger;
import dev.carillon.policy.CatchUp;
import dev.carillon.time.DurationText;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Says what catch-up did with a slot that nothing ran in time. */
final class CatchUpSteps implements StepExplainer {
  private static final String LATE = "No node ran it in time";

  @Override
  public List<Step> explain(Finding finding) {
    Optional<CatchUp> catchUp = finding.definition().map(Definition::catchUp);
    if (finding.isDropped(Reason.MISSED) || finding.isDropped(Reason.LIMIT)) {
      return List.of(
          changed(finding).orElseGet(() -> Step.of(What.CATCH_UP, leftOut(finding, catchUp))));
    }
    return catchUp.filter(any -> isCaughtUp(finding)).stream()
        .map(one -> Step.of(What.CATCH_UP, caughtUp(finding, one)))
        .toList();
  }

  /* What a change finds unplanned is not caught up. */
  private static Optional<Step> changed(Finding finding) {
    Optional<Instant> decidedAt = finding.decision().map(Decision::decidedAt);
    Stream<ChangedBy> changes =
        Stream.concat(
            finding.facts().versions().stream().map(KnownVersion::created),
            finding.facts().changes().stream().map(AuditEntry::changedBy));
    return changes
        .filter(change -> decidedAt.filter(change.at()::equals).isPresent())
        .findFirst()
        .map(
            change ->
                Step.of(
                    What.CATCH_UP,
                    "%s until %s changed the schedule at %s, and a change leaves missed slots behind."
                        .formatted(LATE, Sentence.quoted(change.by()), finding.text(change.at())),
                    change));
  }

  private static String leftOut(Finding finding, Optional<CatchUp> known) {
    if (known.isEmpty()) {
      return LATE + ", and catch-up left it out.";
    }
    CatchUp catchUp = known.get();
    Instant judged = finding.decision().map(Decision::decidedAt).orElse(finding.facts().now());
    if (catchUp.mode() == CatchUp.Mode.SKIP) {
      return LATE + ", and catch-up is skip: missed slots do not run.";
    }
    if (catchUp.maxAge().filter(age -> finding.due().isBefore(judged.minus(age))).isPresent()) {
      return "%s, and it was older than the %s that catch-up goes back."
          .formatted(LATE, DurationText.of(catchUp.maxAge().orElseThrow()));
    }
    return catchUp.mode() == CatchUp.Mode.ONCE
        ? LATE + ", and catch-up is once: the newest of the missed slots runs for all of them."
        : "%s, and catch-up is %s, for at most %s missed slots, the newest."
            .formatted(LATE, catchUp.name(), catchUp.limit());
  }

  /* The due time of a run is that of its slot, unless catch-up made it later. */
  private static boolean isCaughtUp(Finding finding) {
    return finding
        .nearRun()
        .filter(run -> run.trigger() == Trigger.SCHEDULED && run.state() != RunState.SKIPPED)
        .filter(run -> finding.jittered().filter(run.dueAt()::isAfter).isPresent())
        .isPresent();
  }

  private static String caughtUp(Finding finding, CatchUp catchUp) {
    String when = finding.text(finding.dueAt().orElseThrow());
    return catchUp.mode() == CatchUp.Mode.ONCE
        ? "%s, and catch-up is once: it is due at %s, for all slots that were missed."
            .formatted(LATE, when)
        : "%s, and catch-up is %s: it is due at %s.".formatted(LATE, catchUp.name(), when);
  }
}
