package dev.carillon.plan.explain;

import dev.carillon.model.RunState;
import dev.carillon.model.SlotOutcome;
import dev.carillon.model.SlotOutcome.Fate;

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

  static String of(SlotOutcome outcome) {
    Fate fate = outcome.decision();
    String text =
        switch (fate) {
          case DROPPED -> "it became no run";
          case WILL_RUN -> "it will run";
          case WILL_NOT_RUN -> "it will not run";
          default -> "its run " + of(RunState.valueOf(fate.name()));
        };
    return Sentence.because(text, outcome.reason());
  }
}
