package dev.carillon.plan.explain;

import dev.carillon.model.Definition;
import dev.carillon.model.Explanation.Step;
import dev.carillon.model.Explanation.What;
import dev.carillon.policy.Pacing;
import dev.carillon.time.ClockChange.Effect;
import dev.carillon.time.business.CalendarTiming;
import java.util.List;
import java.util.Optional;

/** Says whether the timing names the instant. */
final class TimingSteps implements StepExplainer {
  @Override
  public List<Step> explain(Finding finding) {
    Optional<Definition> definition = finding.inForce();
    if (definition.isEmpty()) {
      return finding.isSlot()
          ? List.of(
              Step.of(
                  What.TIMING,
                  "It was a slot of the schedule, at %s.".formatted(finding.text(finding.at()))))
          : List.of();
    }
    boolean moved =
        finding.clockChange().filter(change -> change.effect() == Effect.MOVED).isPresent();
    return moved
        ? List.of() // the clock change says what the timing names
        : List.of(Step.of(What.TIMING, text(finding, definition.get())));
  }

  private static String text(Finding finding, Definition definition) {
    String timing = "The timing '" + Sentence.quoted(definition.timing().describe()) + "' ";
    String when = finding.text(finding.at());
    if (definition.pacing() == Pacing.FINISH) {
      String counts = timing + "counts from the end of the run before";
      return finding.isSlot()
          ? counts + ", which makes %s a slot.".formatted(when)
          : counts + ", and %s is no slot.".formatted(when);
    }
    if (finding.isNamed()) {
      boolean byCalendar = definition.timing() instanceof CalendarTiming;
      return timing + (byCalendar ? "has slot " : "names ") + when + ".";
    }
    return finding.isSlot()
        ? "It was a slot of the schedule, at %s.".formatted(when)
        : timing + "names no slot at " + when + ".";
  }
}
