package dev.carillon.engine.remote;

import dev.carillon.engine.CompletionWriter;
import dev.carillon.engine.EngineContext;
import dev.carillon.engine.RunEvents;
import dev.carillon.model.Report;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.plan.Verdict;
import dev.carillon.store.claim.OwnedRun;
import dev.carillon.store.run.AttemptEnd;
import dev.carillon.store.run.Owner;
import dev.carillon.target.Completion;
import dev.carillon.target.CompletionResult;
import dev.carillon.target.CompletionResult.Answer;
import dev.carillon.target.Outcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Writes down how workers ended their runs: each is fenced alone, and has its own answer. */
public final class WorkerCompletions {
  private final EngineContext engine;
  private final CompletionWriter completionWriter;

  public WorkerCompletions(EngineContext engine, CompletionWriter completionWriter) {
    this.engine = engine;
    this.completionWriter = completionWriter;
  }

  /** Write the ends of one worker's runs in one commit, and answer each in the same order. */
  public List<CompletionResult> complete(List<Completion> completions) {
    if (completions.isEmpty()) {
      return List.of();
    }
    Instant now = engine.now();
    Set<RunId> ids = new LinkedHashSet<>();
    completions.forEach(one -> ids.add(one.lease().id()));
    Map<RunId, OwnedRun> live = WorkerLeases.byId(engine.stores().handovers().find(ids));
    Map<RunId, CompletionResult> answers = settle(completions, live, now);
    var completed = new ArrayList<CompletionResult>(completions.size());
    for (Completion one : completions) {
      CompletionResult answer = isHeld(one, live) ? answers.get(one.lease().id()) : null;
      completed.add(answer != null ? answer : tooLate(one, live, now));
    }
    engine.wakeups().wakeClaimers();
    return completed;
  }

  private static boolean isHeld(Completion one, Map<RunId, OwnedRun> live) {
    OwnedRun ownedRun = live.get(one.lease().id());
    return ownedRun != null && WorkerLeases.holds(one.lease(), ownedRun);
  }

  /* Of a run that is named twice, the first end counts. */
  private Map<RunId, CompletionResult> settle(
      List<Completion> completions, Map<RunId, OwnedRun> live, Instant now) {
    var byOwner = new LinkedHashMap<Owner, Map<RunId, AttemptEnd>>();
    for (Completion one : completions) {
      OwnedRun ownedRun = live.get(one.lease().id());
      if (ownedRun != null && isHeld(one, live)) {
        byOwner
            .computeIfAbsent(ownedRun.owner().orElseThrow(), owner -> new LinkedHashMap<>())
            .putIfAbsent(ownedRun.run().id(), settled(ownedRun.run(), one.outcome(), now));
      }
    }
    var answers = new LinkedHashMap<RunId, CompletionResult>();
    byOwner.forEach(
        (owner, ends) -> {
          List<AttemptEnd> batch = List.copyOf(ends.values());
          Map<RunId, RunState> changed =
              completionWriter.settle(
                  owner,
                  batch,
                  now,
                  (written, states) -> RunEvents.of(written, states).forEach(engine::publish));
          changed.forEach(
              (id, state) ->
                  answers.put(id, new CompletionResult(id, Answer.DONE, Optional.of(state))));
        });
    return answers;
  }

  private AttemptEnd settled(Run run, Outcome outcome, Instant now) {
    Run called = run.calledBy(outcome.externalId());
    Run failing = engine.failing(engine.database(), run, now);
    return new AttemptEnd(
        called, Verdict.of(failing, outcome, now), run.startedAt().orElse(now), now);
  }

  /* A worker that did not receive the answer sends the same again. */
  private CompletionResult tooLate(Completion one, Map<RunId, OwnedRun> live, Instant now) {
    Optional<Run> found = engine.stores().runs().find(one.lease().id());
    if (found.isEmpty()) {
      return new CompletionResult(one.lease().id(), Answer.UNKNOWN, Optional.empty());
    }
    Run run = found.get();
    OwnedRun ownedRun = live.get(run.id());
    boolean said = isSaid(one, run, ownedRun != null && ownedRun.isAccepted());
    if (!said) {
      engine.publish(RunEvents.fenced(run, one.lease().attempt(), now));
    }
    return new CompletionResult(
        run.id(), said ? Answer.DONE : Answer.FENCED, Optional.of(run.state()));
  }

  private static boolean isSaid(Completion one, Run run, boolean accepted) {
    if (one.outcome() instanceof Outcome.Succeeded) {
      return agrees(Report.succeeded(), one, run);
    }
    if (one.outcome() instanceof Outcome.Failed failed) {
      return agrees(Report.failed(failed.failure()), one, run);
    }
    if (one.outcome() instanceof Outcome.Interrupted interrupted) {
      return agrees(Report.failed(Verdict.interrupted(interrupted)), one, run);
    }
    return run.attempt() == one.lease().attempt()
        && (one.outcome() instanceof Outcome.Accepted
            ? accepted
            : run.state() == RunState.CANCELED);
  }

  private static boolean agrees(Report report, Completion one, Run run) {
    return report.forAttempt(one.lease().attempt()).agreesWith(run);
  }
}
