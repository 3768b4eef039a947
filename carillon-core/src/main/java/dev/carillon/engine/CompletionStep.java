package dev.carillon.engine;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.plan.Verdict;
import dev.carillon.store.run.AttemptEnd;
import dev.carillon.store.run.Owner;
import dev.carillon.target.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Writes the ends of attempts down, many in one commit. */
final class CompletionStep implements Step {
  private static final int BATCH = 1_000;

  private final EngineContext engine;
  private final CompletionWriter completionWriter;
  private final CompletionQueue completions;

  CompletionStep(
      EngineContext engine, CompletionWriter completionWriter, CompletionQueue completions) {
    this.engine = engine;
    this.completionWriter = completionWriter;
    this.completions = completions;
  }

  @Override
  public Duration run(Instant now) {
    List<RunAttempt> batch = untilRepeated(completions.peek(BATCH));
    if (batch.isEmpty()) {
      return engine.settings().poll();
    }
    batch.stream() // of which some may have been claimed in an earlier epoch
        .collect(groupingBy(RunAttempt::owner, LinkedHashMap::new, toList()))
        .forEach((owner, attempts) -> settle(owner, attempts, now));
    boolean more = completions.written(batch.size());
    engine.wakeups().wakeClaimers();
    return more ? Duration.ZERO : engine.settings().poll();
  }

  /* A report may end an attempt that is still in flight, and the next one of the same run be over when
   * this one is written; each then has a batch of its own. */
  private static List<RunAttempt> untilRepeated(List<RunAttempt> batch) {
    var seen = new HashSet<RunId>();
    int distinct = 0;
    while (distinct < batch.size() && seen.add(batch.get(distinct).id())) {
      distinct++;
    }
    return batch.subList(0, distinct);
  }

  private void settle(Owner owner, List<RunAttempt> attempts, Instant now) {
    var ends = new LinkedHashMap<RunAttempt, AttemptEnd>();
    attempts.forEach(attempt -> ends.put(attempt, settled(attempt)));
    List<AttemptEnd> unwritten =
        attempts.stream()
            .filter(attempt -> !attempt.isSettled() && !attempt.isLeftToRecovery())
            .map(attempt -> Objects.requireNonNull(ends.get(attempt)))
            .toList();
    Map<RunId, RunState> changed = completionWriter.settle(owner, unwritten, now);
    ends.forEach(
        (attempt, end) -> {
          engine.inFlight().remove(attempt);
          publish(attempt, end, changed);
        });
  }

  private static AttemptEnd settled(RunAttempt attempt) {
    Instant ended = attempt.endedAt();
    Outcome outcome = attempt.outcome();
    Run run = attempt.claimed();
    return new AttemptEnd(
        run.calledBy(outcome.externalId()),
        Verdict.of(run, outcome, ended),
        attempt.startedAt(),
        ended,
        attempt.progress().last());
  }

  private void publish(RunAttempt attempt, AttemptEnd settled, Map<RunId, RunState> changed) {
    RunState state = changed.get(attempt.id());
    if (state == null && wasReported(attempt)) {
      return; // and published then
    }
    if (state == null && !attempt.isSettled()) {
      Run run = attempt.claimed();
      engine.publish(RunEvents.fenced(run, run.attempt(), attempt.endedAt()));
    } else if (state == null || state == settled.verdict().state()) {
      engine.publish(RunEvents.of(settled));
    } // else it was canceled before it could be tried again, which is published already
  }

  /* A report on an accepted run may come before this node knows that it was accepted. Nothing else
   * takes a run from a node that has its lease. */
  private boolean wasReported(RunAttempt attempt) {
    return attempt.outcome() instanceof Outcome.Accepted
        && attempt.owner().equals(engine.membership().owner())
        && engine.membership().holds(engine.now());
  }
}
