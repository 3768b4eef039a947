package dev.carillon.plan.explain;

import dev.carillon.model.RunState;
import dev.carillon.model.SlotOutcome;
import dev.carillon.model.SlotOutcome.Fate;
import java.time.Instant;

/** Says in a few words what became of a run or a slot. */
final class Fates {
  private Fates() {}

  static String of(RunState state) {
    return switch (state) {
      case PENDING -> "waits to start";
      case RUNNING -> "is at work";
      case SUCCEEDED -> "succeeded";
      case FAILED -> "failed";
      case CANCELED -> "was canceled";
      case SKIPPED -> "was skipped";
    };
  }

  static String of(SlotOutcome outcome, Finding finding) {
    Fate fate = outcome.decision();
    String text =
        switch (fate) {
          case DROPPED -> "it became no run";
          case WILL_RUN -> "it will run";
          case WILL_NOT_RUN -> "it will not run";
          default -> "its run " + of(RunState.valueOf(fate.name()));
        };
    boolean none = fate == Fate.DROPPED || fate == Fate.WILL_NOT_RUN;
    return Sentence.because(
        text, outcome.reason().map(reason -> none ? words(reason, finding) : reason));
  }

  /* A reason is a word, and by what. */
  private static String words(String reason, Finding finding) {
    int colon = reason.indexOf(": ");
    String word = colon < 0 ? reason : reason.substring(0, colon);
    String by = colon < 0 ? "" : reason.substring(colon + 2);
    return switch (word) {
      case "calendar" ->
          by.isEmpty() ? "by its calendar" : "calendar '%s' leaves it out".formatted(by);
      case "quiet_hours" ->
          by.isEmpty() ? "by quiet hours" : "quiet hours '%s' leave it out".formatted(by);
      case "merged" ->
          by.isEmpty()
              ? "it is merged into the run of another slot"
              : "it is merged into the run of slot " + finding.text(Instant.parse(by));
      case "missed" -> "it was missed, and catch-up left it out";
      case "limit" -> "it was missed, and more were than catch-up runs";
      case "outside_window" -> "it is outside of the window of the schedule";
      default -> reason;
    };
  }
}
