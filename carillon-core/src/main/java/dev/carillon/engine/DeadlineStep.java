package dev.carillon.engine;

import dev.carillon.engine.Escalations.Escalation;
import dev.carillon.event.Event;
import dev.carillon.event.Event.RunRef;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.plan.MissedDeadline;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.run.DeadlineStore;
import dev.carillon.store.run.RunDeadline;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Judges deadlines that are over, each once: if its run was not finished by then, another run says
 * so. The deadline is deleted and that run inserted in one transaction. Then looks for schedules
 * that are silent, and work elsewhere that does not ping. Every node does this.
 */
final class DeadlineStep implements Step {
  private static final int BATCH = 500;
  private final EngineContext engine;
  private final DeadlineStore store;
  private final Escalations escalations;
  private final SilenceCheck silences;
  private final PingDownCheck pings;

  DeadlineStep(EngineContext engine) {
    this.engine = engine;
    this.store = engine.stores().deadlines();
    this.escalations = new Escalations(engine);
    this.silences = new SilenceCheck(engine, escalations);
    this.pings = new PingDownCheck(engine, escalations);
  }

  @Override
  public Duration run(Instant now) {
    Duration poll = engine.settings().poll();
    if (!engine.membership().holds()) {
      return poll;
    }
    return Step.shorter(judge(now), Step.shorter(silences.run(now), pings.run(now)));
  }

  private Duration judge(Instant now) {
    Duration poll = engine.settings().poll();
    Optional<Duration> wait = store.next().map(at -> Duration.between(now, at));
    if (wait.filter(left -> left.isNegative() || left.isZero()).isPresent()) {
      int judged = engine.database().inTransaction(tx -> judge(tx, now));
      return judged == BATCH ? Duration.ZERO : poll;
    }
    return wait.map(left -> Step.shorter(left, poll)).orElse(engine.settings().longRest());
  }

  private int judge(Transaction tx, Instant now) {
    List<RunDeadline> over = store.lockOver(tx, now, BATCH);
    Runs runs = runs(tx, over.stream().map(RunDeadline::run).toList());
    List<RunDeadline> judged =
        over.stream().filter(deadline -> !runs.busy.contains(deadline.run())).toList();
    if (judged.isEmpty()) {
      return 0;
    }
    store.delete(tx, judged.stream().map(RunDeadline::run).toList());
    escalate(tx, judged.stream().flatMap(one -> missed(one, runs.known).stream()).toList(), now);
    return judged.size();
  }

  private record Missed(RunDeadline deadline, Run run) {
    RunRef ref() {
      return new RunRef(run.id(), run.schedule(), run.target());
    }
  }

  private static Optional<Missed> missed(RunDeadline deadline, Map<RunId, Run> runs) {
    return Optional.ofNullable(runs.get(deadline.run()))
        .filter(run -> run.version() == deadline.version())
        .filter(run -> MissedDeadline.isMissed(run, deadline.at()))
        .map(run -> new Missed(deadline, run));
  }

  /*
   * The runs of deadlines.
   *
   * known: what is recorded of each; nothing of one that was taken back or is no longer kept.
   * busy: live ones that another transaction has locked, to be looked at in a later turn.
   */
  private record Runs(Map<RunId, Run> known, Set<RunId> busy) {}

  /* Two statements: one that ends while the first looks for it is in the history of the second. */
  private Runs runs(Transaction tx, Collection<RunId> ids) {
    var known = new HashMap<RunId, Run>();
    store.lockLive(tx, ids).forEach(run -> known.put(run.id(), run));
    var busy = new HashSet<RunId>();
    List<RunId> others = ids.stream().filter(id -> !known.containsKey(id)).toList();
    for (Run run : store.find(tx, others)) {
      if (run.state().isFinal()) {
        known.put(run.id(), run);
      } else {
        busy.add(run.id());
      }
    }
    return new Runs(known, busy);
  }

  private void escalate(Transaction tx, List<Missed> missed, Instant now) {
    if (missed.isEmpty()) {
      return;
    }
    List<RunRef> told =
        escalations.insert(tx, missed.stream().map(one -> escalation(one, now)).toList(), now);
    for (int i = 0; i < told.size(); i++) {
      Missed one = missed.get(i);
      tx.publish(
          new Event.DeadlineMissed(
              now, one.ref(), one.run.state(), one.deadline.at(), told.get(i)));
    }
  }

  private static Escalation escalation(Missed missed, Instant now) {
    Run run = missed.run;
    return new Escalation(
        missed.deadline.escalateTo(),
        MissedDeadline.story(run, missed.deadline.at(), now),
        run.id().toString(),
        run.schedule().map(key -> run.id().schedule()));
  }
}
