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
import java.util.Set;

/** Writes the ends of attempts down, many in one commit. */
final class CompletionStep implements Step {
  private static final int BATCH = 1_000;

  private final EngineContext engine;
  private final CompletionWriter completionWriter;
  private final CompletionQueue completions;

  /* Of the batch that is being written: attempts whose end is durable and published. They stay in the
   * queue until all of the batch is, and are passed over if that has to be tried again. */
  private final Set<RunAttempt> done = new HashSet<>();

  /* Whether an earlier try of the batch failed, whose commit may have happened all the same. */
  private boolean again;

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
    boolean doubtful = again;
    again = true;
    batch.stream() // of which some may have been claimed in an earlier epoch
        .collect(groupingBy(RunAttempt::owner, LinkedHashMap::new, toList()))
        .forEach((owner, attempts) -> settle(owner, attempts, doubtful, now));
    done.clear();
    again = false;
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

  private void settle(Owner owner, List<RunAttempt> attempts, boolean doubtful, Instant now) {
    var byId = new LinkedHashMap<RunId, RunAttempt>();
    attempts.stream()
        .filter(attempt -> !done.contains(attempt))
        .forEach(attempt -> byId.put(attempt.id(), attempt));
    List<AttemptEnd> unwritten =
        byId.values().stream()
            .filter(attempt -> !attempt.isSettled() && !attempt.isLeftToRecovery())
            .map(this::settled)
            .toList();
    completionWriter.settle(owner, unwritten, now, (ends, changed) -> finish(byId, ends, changed));
    if (doubtful) {
      List<AttemptEnd> missing =
          unwritten.stream().filter(end -> byId.containsKey(end.run().id())).toList();
      finish(byId, missing, completionWriter.written(owner, missing));
    }
    byId.values().forEach(this::finishUnwritten);
  }

  /* Takes those that are written out of byId. */
  private void finish(
      Map<RunId, RunAttempt> byId, List<AttemptEnd> ends, Map<RunId, RunState> changed) {
    for (AttemptEnd end : ends) {
      RunState state = changed.get(end.run().id());
      RunAttempt attempt = state == null ? null : byId.remove(end.run().id());
      if (attempt != null) {
        finish(attempt);
        if (state == end.verdict().state()) {
          engine.publish(RunEvents.of(end));
        } // else it was canceled before it could be tried again, which is published already
      }
    }
  }

  private void finish(RunAttempt attempt) {
    done.add(attempt);
    engine.inFlight().remove(attempt);
  }

  private void finishUnwritten(RunAttempt attempt) {
    finish(attempt);
    if (attempt.isSettled()) {
      engine.publish(RunEvents.of(settled(attempt)));
    } else if (!wasReported(attempt)) { // else it was published then
      Run run = attempt.claimed();
      engine.publish(RunEvents.fenced(run, run.attempt(), attempt.endedAt()));
    }
  }

  private AttemptEnd settled(RunAttempt attempt) {
    Instant ended = attempt.endedAt();
    Outcome outcome = attempt.outcome();
    Run run = attempt.claimed();
    return new AttemptEnd(
        run.calledBy(outcome.externalId()),
        Verdict.of(engine.failing(engine.database(), run, ended), outcome, ended),
        attempt.startedAt(),
        ended,
        attempt.progress().last());
  }

  /* A report on an accepted run may come before this node knows that it was accepted. Nothing else
   * takes a run from a node that has its lease. */
  private boolean wasReported(RunAttempt attempt) {
    return attempt.outcome() instanceof Outcome.Accepted
        && attempt.owner().equals(engine.membership().owner())
        && engine.membership().holds();
  }
}
