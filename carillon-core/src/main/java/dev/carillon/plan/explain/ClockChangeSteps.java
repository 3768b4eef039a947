package dev.carillon.plan.explain;

import dev.carillon.model.Definition;
import dev.carillon.model.Explanation.Step;
import dev.carillon.model.Explanation.What;
import dev.carillon.time.ClockChange;
import java.time.Instant;
import java.util.List;

/** Says what daylight saving, or another change of the clocks, did to a slot. */
final class ClockChangeSteps implements StepExplainer {
  @Override
  public List<Step> explain(Finding finding) {
    return finding.clockChange().stream()
        .map(change -> Step.of(What.CLOCK_CHANGE, text(finding, change)))
        .toList();
  }

  private static String text(Finding finding, ClockChange change) {
    String named = MomentText.clock(change.named().toLocalTime());
    String day = MomentText.date(change.from());
    String from = MomentText.clock(change.from().toLocalTime());
    String to = MomentText.clock(change.to().toLocalTime());
    boolean past = finding.isPast();
    String twice =
        "%s %s twice on %s, as the clocks %s back from %s to %s"
            .formatted(named, past ? "came" : "comes", day, past ? "went" : "go", from, to);
    return switch (change.effect()) {
      case MOVED ->
          "The timing '%s' names %s; on %s the clocks %s from %s to %s; so %s %s used, which is %s."
              .formatted(
                  Sentence.quoted(
                      finding.inForce().map(Definition::timing).orElseThrow().describe()),
                  named,
                  day,
                  past ? "jumped" : "jump",
                  from,
                  to,
                  to,
                  past ? "was" : "is",
                  slot(change));
      case LEFT_OUT ->
          "The timing names %s; on %s the clocks %s from %s to %s, and the gap is left out; so nothing %s due."
              .formatted(named, day, past ? "jumped" : "jump", from, to, past ? "was" : "is");
      case FIRST_OF_TWO -> twice + "; this is the first, and both fire.";
      case ONLY_FIRST -> twice + "; this is the first, the only one to fire.";
      case SECOND_OF_TWO -> twice + "; this is the second, and both fire.";
      case NOT_AGAIN ->
          twice + "; only the first fires, at %s, and this is the second.".formatted(slot(change));
    };
  }

  private static Instant slot(ClockChange change) {
    return change.slot().orElseThrow();
  }
}
