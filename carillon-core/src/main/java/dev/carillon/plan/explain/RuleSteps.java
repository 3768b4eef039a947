package dev.carillon.plan.explain;

import dev.carillon.model.Definition;
import dev.carillon.model.DroppedSlots.Reason;
import dev.carillon.model.Explanation.Step;
import dev.carillon.model.Explanation.What;
import dev.carillon.model.Trigger;
import dev.carillon.plan.SlotDue;
import dev.carillon.plan.SlotDue.Obstacle;
import dev.carillon.time.Due;
import dev.carillon.time.Due.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Says where a calendar and quiet hours moved the due time of a slot, or that they left it out. */
final class RuleSteps implements StepExplainer {
  @Override
  public List<Step> explain(Finding finding) {
    var steps = new ArrayList<Step>();
    finding.judgedByLater().ifPresent(later -> steps.add(later(finding, later)));
    finding
        .judgement()
        .ifPresent(
            judged ->
                judged.slot().moves().stream()
                    .filter(move -> !judged.isMeant(move)) // said before
                    .map(move -> step(finding, move, RuleText.moved(finding, judged, move)))
                    .forEach(steps::add));
    droppedBy(finding).ifPresent(policy -> steps.add(dropped(finding, policy)));
    heldBack(finding).ifPresent(steps::add);
    return steps;
  }

  /* A run that was late when it was quiet is due when that is over. */
  private static Optional<Step> heldBack(Finding finding) {
    return finding
        .nearRun()
        .filter(run -> run.trigger() == Trigger.SCHEDULED)
        .map(NearRun::dueAt)
        .filter(due -> finding.jittered().filter(due::isAfter).isPresent())
        .filter(
            due ->
                finding
                    .judgedBy()
                    .map(known -> finding.facts().rules().at(known, due))
                    .filter(rule -> rule.heldBack(due.minusMillis(1)).isPresent())
                    .isPresent())
        .map(due -> Step.of(What.QUIET_HOURS, RuleText.heldBack(finding.text(due))));
  }

  private static Step later(Finding finding, KnownVersion later) {
    return Step.of(
        What.VERSION,
        "When a calendar or quiet hours changed, it waited; so version %s, which %s made at %s, gave it its due time."
            .formatted(
                later.number(),
                Sentence.quoted(later.created().by()),
                finding.text(later.created().at())),
        later.created());
  }

  private static Optional<Policy> droppedBy(Finding finding) {
    return finding.isDropped(Reason.CALENDAR)
        ? Optional.of(Policy.CALENDAR)
        : Optional.of(Policy.QUIET_HOURS).filter(any -> finding.isDropped(Reason.QUIET_HOURS));
  }

  private static Step dropped(Finding finding, Policy policy) {
    Optional<Obstacle> obstacle = finding.judged().flatMap(SlotDue::obstacle);
    Optional<String> by = obstacle.flatMap(Obstacle::by).or(finding::droppedBy);
    Optional<Definition> late =
        finding.judgedBy().filter(any -> finding.judged().isPresent() && obstacle.isEmpty());
    if (late.isPresent()) {
      return step(finding, policy, by.orElse(""), RuleText.late(late.get(), policy, by));
    }
    String text =
        obstacle
            .flatMap(one -> finding.judgedBy().map(known -> RuleText.dropped(known, policy, one)))
            .orElseGet(() -> RuleText.dropped(policy, by));
    return step(finding, policy, by.orElse(""), text);
  }

  private static Step step(Finding finding, Due.Move move, String text) {
    return step(finding, move.policy(), move.by(), text);
  }

  /** Say what a calendar or quiet hours did, with who made the version that said so. */
  static Step step(Finding finding, Policy policy, String name, String text) {
    What what = policy == Policy.CALENDAR ? What.CALENDAR : What.QUIET_HOURS;
    return finding
        .saved(policy, name)
        .map(change -> Step.of(what, text, change.changed()))
        .orElseGet(() -> Step.of(what, text));
  }
}
