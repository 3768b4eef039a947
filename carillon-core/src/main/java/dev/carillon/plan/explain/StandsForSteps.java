package dev.carillon.plan.explain;

import dev.carillon.model.Definition;
import dev.carillon.model.Explanation.Step;
import dev.carillon.model.SlotOutcome;
import dev.carillon.time.Due;
import dev.carillon.time.Due.Policy;
import dev.carillon.time.business.CalendarTiming;
import dev.carillon.time.business.OpenOrClose;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Says which time a slot stands for where a calendar decides that, such as a business day. */
final class StandsForSteps implements StepExplainer {
  @Override
  public List<Step> explain(Finding finding) {
    return finding
        .standsFor()
        .flatMap(when -> step(finding, when))
        .or(() -> closed(finding))
        .stream()
        .toList();
  }

  /* Who asks when it opens on a day on which it does not. */
  private static Optional<Step> closed(Finding finding) {
    Optional<Instant> slot =
        finding
            .previous()
            .filter(one -> one.run().isEmpty())
            .filter(one -> one.reason().filter(why -> why.startsWith("calendar")).isPresent())
            .map(SlotOutcome::slot);
    Optional<Definition> known = finding.inForce().filter(any -> !finding.isSlot());
    return slot.isPresent() && known.isPresent() && known.get().timing() instanceof OpenOrClose days
        ? closed(finding, days, slot.get(), finding.ruleThen(known.get()).due(slot.get()))
        : Optional.empty();
  }

  private static Optional<Step> closed(
      Finding finding, OpenOrClose days, Instant slot, Due judged) {
    return judged instanceof Due.Dropped dropped
            && dropped.policy() == Policy.CALENDAR
            && days.isOnDayOf(slot, finding.at())
        ? Optional.of(
            RuleSteps.step(
                finding,
                Policy.CALENDAR,
                dropped.by(),
                "%s in calendar '%s'; so the slot of that day stands for no time, and becomes no run."
                    .formatted(Sentence.quoted(dropped.because()), Sentence.quoted(dropped.by()))))
        : Optional.empty();
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
    if (finding.isSlot()) {
      return sentence;
    }
    boolean early =
        finding.version().filter(version -> !version.created().at().isBefore(when)).isPresent();
    boolean over = finding.version().filter(version -> version.isOverBefore(when)).isPresent();
    return early
        ? adding(sentence, ", before this version was made.")
        : over ? adding(sentence, ", after this version had ended.") : sentence;
  }

  private static String adding(String sentence, String clause) {
    return sentence.substring(0, sentence.length() - 1) + clause;
  }
}
