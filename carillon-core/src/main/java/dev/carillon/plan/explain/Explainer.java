package dev.carillon.plan.explain;

import dev.carillon.model.Explanation;
import dev.carillon.model.Explanation.Step;
import dev.carillon.model.Explanation.What;
import dev.carillon.plan.SlotDue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Tells why a schedule did or did not run at an instant, or will or will not. Pure. */
public final class Explainer {
  /* In the order in which a slot goes through it: what names it, what moves it or takes it out,
   * what became of it, what else was going on. */
  private static final List<StepExplainer> STEPS =
      List.of(
          new VersionSteps(),
          new TimingSteps(),
          new StandsForSteps(),
          new ClockChangeSteps(),
          new RuleSteps(),
          new WindowSteps(),
          new MergedSteps(),
          new JitterSteps(),
          new DueThenSteps(),
          new PauseSteps(),
          new MaxRunsSteps(),
          new CatchUpSteps(),
          new DecisionSteps(),
          new AttemptSteps(),
          new OverlapSteps(),
          new RunSteps(),
          new ChangeSteps(),
          new OutlookSteps(),
          new NeighbourSteps(),
          new RetentionSteps());

  private Explainer() {}

  /**
   * Explain an instant. Where a calendar says when a slot is, such as on the third business day of
   * its month, the instant may be that time instead of the slot.
   *
   * @param facts what is known around an instant
   */
  public static Explanation explain(Instant at, Function<Instant, Facts> facts) {
    var finding = new Finding(facts.apply(at));
    return explain(
        at,
        MeantSlot.of(finding)
            .map(slot -> new Finding(facts.apply(slot)))
            .filter(Finding::isSlot)
            .orElse(finding));
  }

  private static Explanation explain(Instant at, Finding finding) {
    var steps = new ArrayList<Step>();
    STEPS.forEach(
        explainer ->
            explainer.explain(finding).stream()
                .filter(step -> !isTold(step, steps))
                .forEach(steps::add));
    return new Explanation(
        at,
        finding.isSlot() ? Optional.of(finding.at()) : Optional.empty(),
        finding.dueAt(),
        finding.outcome(),
        finding.run(),
        finding.decision(),
        finding.previous(),
        finding.next(),
        finding.judged().map(SlotDue::moves).orElse(List.of()),
        finding.dueThen().slots().stream().map(DueThen.Moved::outcome).toList(),
        steps);
  }

  /* A change that is the reason for something else is not told a second time. */
  private static boolean isTold(Step step, List<Step> told) {
    return step.what() == What.CHANGE
        && told.stream()
            .filter(other -> other.what() != What.CHANGE)
            .anyMatch(other -> other.by().equals(step.by()) && other.at().equals(step.at()));
  }
}
