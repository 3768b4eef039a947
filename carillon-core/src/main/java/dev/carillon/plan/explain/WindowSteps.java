package dev.carillon.plan.explain;

import dev.carillon.model.Definition;
import dev.carillon.model.DroppedSlots.Reason;
import dev.carillon.model.Explanation.Step;
import dev.carillon.model.Explanation.What;
import dev.carillon.time.Window;
import java.util.List;
import java.util.Optional;

/** Says that a slot lies outside of the window of its schedule. */
final class WindowSteps implements StepExplainer {
  @Override
  public List<Step> explain(Finding finding) {
    Optional<Window> window = finding.inForce().map(Definition::window);
    boolean dropped =
        finding.isDropped(Reason.OUTSIDE_WINDOW) || (!finding.isSlot() && finding.isNamed());
    if (!dropped || window.isEmpty()) {
      return List.of();
    }
    if (window.get().contains(finding.at())) {
      return movedOut(finding, window.get());
    }
    boolean early = finding.at().isBefore(window.get().from());
    boolean past =
        !(early ? window.get().from() : window.get().until()).isAfter(finding.facts().now());
    return List.of(
        Step.of(
            What.WINDOW,
            early
                ? "The window of the schedule %s at %s, so it has no run before."
                    .formatted(past ? "began" : "begins", finding.text(window.get().from()))
                : "The window of the schedule %s at %s, so it has no run after that."
                    .formatted(past ? "ended" : "ends", finding.text(window.get().until()))));
  }

  private static List<Step> movedOut(Finding finding, Window window) {
    if (!finding.isSlot()) {
      return List.of();
    }
    return List.of(
        Step.of(
            What.WINDOW,
            finding.due().isBefore(window.from())
                ? "The window of the schedule begins at %s, which is after that, so it becomes no run."
                    .formatted(finding.text(window.from()))
                : "The window of the schedule ends at %s, which is before that, so it becomes no run."
                    .formatted(finding.text(window.until()))));
  }
}
