package dev.carillon.engine;

import dev.carillon.event.Event;
import dev.carillon.event.Event.RunRef;
import dev.carillon.model.EndReason;
import dev.carillon.model.Failure;
import dev.carillon.model.Run;
import dev.carillon.model.RunState;
import dev.carillon.plan.Verdict;
import dev.carillon.store.run.SettledAttempt;
import java.util.Optional;

/** Events about attempts that ended. */
public final class RunEvents {
  private RunEvents() {}

  public static RunRef ref(Run run) {
    return new RunRef(run.id(), run.schedule(), run.target());
  }

  /** Return what to tell of {@code end} once it is durable. */
  public static Event of(SettledAttempt end) {
    Run run = end.run();
    Verdict verdict = end.verdict();
    if (verdict.state() == RunState.RUNNING) {
      return new Event.Accepted(end.endedAt(), ref(run), run.attempt(), run.externalId());
    }
    if (verdict.state() == RunState.PENDING) {
      return new Event.Retrying(
          end.endedAt(),
          ref(run),
          run.attempt(),
          verdict.wakeAt().orElse(end.endedAt()),
          verdict.failure().orElseGet(() -> Failure.of("interrupted", "")));
    }
    return new Event.Finished(
        end.endedAt(),
        ref(run),
        verdict.state(),
        run.dueAt(),
        Optional.of(end.startedAt()),
        run.attempt(),
        verdict.failure(),
        verdict.reason().map(EndReason::canceled));
  }
}
