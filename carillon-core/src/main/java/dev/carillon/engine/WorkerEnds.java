package dev.carillon.engine;

import dev.carillon.event.Event;
import dev.carillon.model.Failure;
import dev.carillon.model.Report;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.plan.Verdict;
import dev.carillon.store.Away;
import dev.carillon.store.HandoverStore;
import dev.carillon.store.Holder;
import dev.carillon.store.RunStore;
import dev.carillon.store.Settled;
import dev.carillon.target.Completed;
import dev.carillon.target.Completed.Answer;
import dev.carillon.target.Completion;
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
public final class WorkerEnds {
  private final Parts parts;
  private final Settling settling;
  private final HandoverStore handovers;
  private final RunStore runs;
  private final Runnable freed;

  /** Call {@code freed} when runs are over and others may start. */
  WorkerEnds(
      Parts parts, Settling settling, HandoverStore handovers, RunStore runs, Runnable freed) {
    this.parts = parts;
    this.settling = settling;
    this.handovers = handovers;
    this.runs = runs;
    this.freed = freed;
  }

  /** Write the ends of one worker's runs in one commit, and answer each in the same order. */
  public List<Completed> complete(List<Completion> completions) {
    if (completions.isEmpty()) {
      return List.of();
    }
    Instant now = parts.time().instant();
    Set<RunId> ids = new LinkedHashSet<>();
    completions.forEach(one -> ids.add(one.lease().id()));
    Map<RunId, Away> live = Leases.byId(handovers.find(ids));
    Map<RunId, Completed> answers = settle(completions, live, now);
    var completed = new ArrayList<Completed>(completions.size());
    for (Completion one : completions) {
      Completed answer = isHeld(one, live) ? answers.get(one.lease().id()) : null;
      completed.add(answer != null ? answer : tooLate(one, live, now));
    }
    freed.run();
    return completed;
  }

  private static boolean isHeld(Completion one, Map<RunId, Away> live) {
    Away away = live.get(one.lease().id());
    return away != null && Leases.holds(one.lease(), away);
  }

  /* Of a run that is named twice, the first end counts. */
  private Map<RunId, Completed> settle(
      List<Completion> completions, Map<RunId, Away> live, Instant now) {
    var byHolder = new LinkedHashMap<Holder, Map<RunId, Settled>>();
    for (Completion one : completions) {
      Away away = live.get(one.lease().id());
      if (away != null && isHeld(one, live)) {
        byHolder
            .computeIfAbsent(away.holder().orElseThrow(), holder -> new LinkedHashMap<>())
            .putIfAbsent(away.run().id(), settled(away.run(), one.outcome(), now));
      }
    }
    var answers = new LinkedHashMap<RunId, Completed>();
    byHolder.forEach(
        (holder, ends) -> {
          List<Settled> batch = List.copyOf(ends.values());
          Map<RunId, RunState> changed = settling.settle(holder, batch, now);
          batch.forEach(end -> answer(end, changed).ifPresent(one -> answers.put(one.id(), one)));
        });
    return answers;
  }

  private static Settled settled(Run run, Outcome outcome, Instant now) {
    Run called = run.calledBy(outcome.externalId());
    return new Settled(called, Verdict.of(run, outcome, now), run.startedAt().orElse(now), now);
  }

  private Optional<Completed> answer(Settled end, Map<RunId, RunState> changed) {
    RunId id = end.run().id();
    Optional<RunState> state = Optional.ofNullable(changed.get(id));
    if (state.filter(end.verdict().state()::equals).isPresent()) {
      parts.publish(Ends.of(end));
    } // else it was canceled before it could be tried again, which has been told
    return state.map(now -> new Completed(id, Answer.DONE, state));
  }

  /* A worker that has not heard the answer says the same again. */
  private Completed tooLate(Completion one, Map<RunId, Away> live, Instant now) {
    Optional<Run> found = runs.find(one.lease().id());
    if (found.isEmpty()) {
      return new Completed(one.lease().id(), Answer.UNKNOWN, Optional.empty());
    }
    Run run = found.get();
    Away away = live.get(run.id());
    boolean said = isSaid(one, run, away != null && away.isAccepted());
    if (!said) {
      parts.publish(new Event.Fenced(now, Ends.ref(run), one.lease().attempt()));
    }
    return new Completed(run.id(), said ? Answer.DONE : Answer.FENCED, Optional.of(run.state()));
  }

  private static boolean isSaid(Completion one, Run run, boolean accepted) {
    int attempt = one.lease().attempt();
    boolean current = run.attempt() == attempt;
    if (one.outcome() instanceof Outcome.Succeeded) {
      return Report.succeeded().ofAttempt(attempt).agreesWith(run);
    }
    if (one.outcome() instanceof Outcome.Failed failed) {
      return Report.failed(failed.failure()).ofAttempt(attempt).agreesWith(run);
    }
    if (one.outcome() instanceof Outcome.Interrupted interrupted) {
      Failure failure = Verdict.interrupted(interrupted);
      return Report.failed(failure).ofAttempt(attempt).agreesWith(run);
    }
    if (one.outcome() instanceof Outcome.Accepted) {
      return current && accepted;
    }
    return current && run.state() == RunState.CANCELED;
  }
}
