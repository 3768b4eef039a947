package dev.carillon.engine;

import dev.carillon.event.Event;
import dev.carillon.event.Event.RunRef;
import dev.carillon.model.EndReason;
import dev.carillon.model.Failure;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.plan.Verdict;
import dev.carillon.store.run.AttemptEnd;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Events about attempts that ended. */
public final class RunEvents {
  private RunEvents() {}

  private static RunRef ref(Run run) {
    return new RunRef(run.id(), run.schedule(), run.target());
  }

  /** Return that an attempt of {@code run} begins. */
  public static Event started(Run run, Instant at) {
    return new Event.Started(at, ref(run), run.dueAt(), run.attempt());
  }

  /** Return that an attempt of {@code run} ended after its owner had lost the run. */
  public static Event fenced(Run run, int attempt, Instant at) {
    return new Event.Fenced(at, ref(run), attempt);
  }

  /**
   * Return what to publish of {@code ends}, given what became of their runs: nothing of those that
   * changed nothing, or that became something else, which is published already.
   */
  public static List<Event> of(List<AttemptEnd> ends, Map<RunId, RunState> changed) {
    return ends.stream()
        .filter(end -> end.verdict().state() == changed.get(end.run().id()))
        .map(RunEvents::of)
        .toList();
  }

  /** Return what to publish of {@code end} once it is durable. */
  public static Event of(AttemptEnd end) {
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
