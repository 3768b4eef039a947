package dev.carillon.plan.explain;

import dev.carillon.model.ChangedBy;
import dev.carillon.model.Decision;
import dev.carillon.model.Explanation.Step;
import dev.carillon.model.Explanation.What;
import dev.carillon.model.Run;
import dev.carillon.model.SlotOutcome;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Says who changed the schedule meanwhile: between the slot and what became of it, or, where
 * nothing was due, between the slots before and after.
 */
final class ChangeSteps implements StepExplainer {
  private static final int MAX_SHOWN = 10;

  @Override
  public List<Step> explain(Finding finding) {
    if (finding.version().isEmpty()) {
      return List.of(); // nothing was there to change
    }
    Instant after = finding.isSlot() ? begin(finding) : previous(finding);
    Instant through = finding.isSlot() ? end(finding) : next(finding);
    Predicate<ChangedBy> meanwhile =
        change -> change.at().isAfter(after) && !change.at().isAfter(through);
    Stream<Step> versions =
        finding.facts().versions().stream()
            .filter(version -> version.number() > 1 && meanwhile.test(version.created()))
            .map(version -> made(finding, version));
    Stream<Step> changes =
        finding.facts().changes().stream()
            .filter(entry -> meanwhile.test(entry.changedBy()))
            .map(entry -> ChangeText.step(What.CHANGE, entry, finding));
    Stream<Step> rules =
        finding.definition().map(finding.facts().rules()::changes).orElse(List.of()).stream()
            .filter(change -> meanwhile.test(change.changed()))
            .map(
                change ->
                    Step.of(What.CHANGE, RuleText.changed(finding, change), change.changed()));
    return Stream.of(versions, changes, rules)
        .flatMap(each -> each)
        .sorted(Comparator.comparing(step -> step.at().orElseThrow()))
        .limit(MAX_SHOWN)
        .toList();
  }

  private static Step made(Finding finding, KnownVersion version) {
    ChangedBy by = version.created();
    return Step.of(
        What.CHANGE,
        "%s made version %s at %s."
            .formatted(Sentence.quoted(by.by()), version.number(), finding.text(by.at())),
        by);
  }

  private static Instant previous(Finding finding) {
    return finding.previous().map(SlotOutcome::slot).orElse(finding.at());
  }

  /* What a calendar lets an instant stand for may be later. */
  private static Instant next(Finding finding) {
    Instant next = finding.next().map(SlotOutcome::slot).orElse(finding.at());
    return finding.standsFor().filter(next::isBefore).orElse(next);
  }

  /* A run that is due before its slot may meet changes before it. */
  private static Instant begin(Finding finding) {
    return finding
        .nearRun()
        .map(NearRun::dueAt)
        .filter(due -> due.isBefore(finding.at()))
        .orElse(finding.at());
  }

  private static Instant end(Finding finding) {
    Optional<Instant> over =
        finding
            .decision()
            .map(Decision::decidedAt)
            .or(() -> finding.run().flatMap(Run::finishedAt));
    return over.orElse(finding.facts().now());
  }
}
