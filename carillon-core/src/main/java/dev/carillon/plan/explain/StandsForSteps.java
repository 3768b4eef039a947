package dev.carillon.plan.explain;

import dev.carillon.model.Definition;
import dev.carillon.model.Explanation.Step;
import dev.carillon.time.Due.Policy;
import dev.carillon.time.business.CalendarTiming;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Says which time a slot stands for where a calendar decides that, such as a business day. */
final class StandsForSteps implements StepExplainer {
  @Override
  public List<Step> explain(Finding finding) {
    return finding.standsFor().flatMap(when -> step(finding, when)).stream().toList();
  }

  private static Optional<Step> step(Finding finding, Instant when) {
    return (finding.isSlot() ? finding.judgedBy() : finding.inForce())
        .map(Definition::timing)
        .filter(CalendarTiming.class::isInstance)
        .map(CalendarTiming.class::cast)
        .map(
            timing ->
                RuleSteps.step(
                    finding, Policy.CALENDAR, timing.calendar(), text(finding, timing, when)));
  }

  private static String text(Finding finding, CalendarTiming timing, Instant when) {
    String clause =
        RuleText.standsFor(timing.named(finding.at()), finding.text(when), timing.calendar());
    String sentence = clause.substring(0, 1).toUpperCase(Locale.ROOT) + clause.substring(1);
    boolean late =
        !finding.isSlot()
            && finding
                .version()
                .filter(version -> !version.created().at().isBefore(when))
                .isPresent();
    return late
        ? sentence.substring(0, sentence.length() - 1) + ", before this version was made."
        : sentence;
  }
}
