package dev.carillon.engine;

import dev.carillon.event.Event;
import dev.carillon.event.Event.RunRef;
import dev.carillon.model.ChangedBy;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.plan.MissedDeadline;
import dev.carillon.policy.Retry;
import dev.carillon.policy.RunPolicy;
import dev.carillon.store.audit.AuditStore;
import dev.carillon.store.jdbc.Announcement;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.run.DeadlineStore;
import dev.carillon.store.run.RunDeadline;
import dev.carillon.store.run.RunStore.AdHoc;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Judges deadlines that are over, each once: if its run was not finished by then, another run says
 * so. The deadline is deleted and that run inserted in one transaction. Every node does this.
 */
final class DeadlineStep implements Step {
  private static final int BATCH = 500;
  private static final String ENGINE = "carillon";

  /* Whoever is to be told may be away for a moment. */
  private static final RunPolicy ESCALATION = RunPolicy.DEFAULT.retry(Retry.times(5));

  private final EngineContext engine;
  private final DeadlineStore store;

  DeadlineStep(EngineContext engine) {
    this.engine = engine;
    this.store = engine.stores().deadlines();
  }

  @Override
  public Duration run(Instant now) {
    Duration poll = engine.settings().poll();
    if (!engine.membership().holds()) {
      return poll;
    }
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
    var by = new ChangedBy(now, ENGINE);
    List<AdHoc> work = missed.stream().map(one -> escalation(one, now)).toList();
    List<RunId> ids = engine.stores().runs().enqueue(tx, work, by);
    var lines = new ArrayList<AuditStore.Line>();
    for (int i = 0; i < ids.size(); i++) {
      Missed one = missed.get(i);
      var escalation = new RunRef(ids.get(i), Optional.empty(), one.deadline.escalateTo());
      lines.add(line(one.run, escalation));
      tx.publish(
          new Event.DeadlineMissed(now, one.ref(), one.run.state(), one.deadline.at(), escalation));
    }
    AuditStore.insert(tx, lines, by);
    Announcement.RUN.publish(tx);
    tx.afterCommit(engine.wakeups()::wakeClaimers);
  }

  private static AdHoc escalation(Missed missed, Instant now) {
    return new AdHoc(
        missed.deadline.escalateTo(),
        MissedDeadline.story(missed.run, missed.deadline.at(), now),
        now,
        now,
        ESCALATION,
        Optional.of(missed.run.id().toString()),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  private static AuditStore.Line line(Run run, RunRef escalation) {
    return new AuditStore.Line(
        run.schedule().map(key -> run.id().schedule()),
        "run.escalated",
        Map.of(
            "run", run.id().toString(),
            "escalation", escalation.id().toString(),
            "target", escalation.target()));
  }
}
