package dev.carillon.engine.remote;

import dev.carillon.engine.EngineContext;
import dev.carillon.model.Report;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.plan.Verdict;
import dev.carillon.store.claim.HandoverStore;
import dev.carillon.store.claim.OwnedRun;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.target.Outcome;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Takes reports on running runs, on any node. */
public final class RunReports {
  private final EngineContext engine;
  private final Handovers handovers;
  private final HandoverStore store;

  public RunReports(EngineContext engine, Handovers handovers) {
    this.engine = engine;
    this.handovers = handovers;
    this.store = engine.stores().handovers();
  }

  /** Take a report, and return what the run is then; empty if there is no such run. */
  public Optional<RunState> take(RunId id, Report report) {
    Instant now = engine.now();
    Optional<RunState> state = engine.database().inTransaction(tx -> take(tx, id, report, now));
    return state.or(() -> engine.stores().runs().find(id).map(Run::state));
  }

  private Optional<RunState> take(Transaction tx, RunId id, Report report, Instant now) {
    return store.lock(tx, List.of(id)).stream()
        .findFirst()
        .map(ownedRun -> take(tx, ownedRun, report, now));
  }

  /* Whichever owner has the run: the report may come before the node knows that it was accepted, and ends it
   * there; what the node says later is then lost to the fence. */
  private RunState take(Transaction tx, OwnedRun ownedRun, Report report, Instant now) {
    Run run = ownedRun.run();
    boolean meant = report.attempt().filter(attempt -> attempt != run.attempt()).isEmpty();
    if (run.state() != RunState.RUNNING || !meant || !mayReport(ownedRun, report)) {
      return run.state();
    }
    report.externalId().ifPresent(external -> store.call(tx, run.id(), external));
    if (report.status() == Report.Status.STARTED) {
      return run.state();
    }
    Outcome outcome = report.failure().map(Outcome::failed).orElseGet(Outcome::succeeded);
    return handovers
        .end(
            tx,
            List.of(ownedRun),
            one -> Verdict.of(engine.failing(tx, run, now), outcome, now),
            now)
        .getOrDefault(run.id(), run.state());
  }

  /* What a worker has, it or those to whom it gave the fence end; a report on what was accepted needs none. */
  private static boolean mayReport(OwnedRun ownedRun, Report report) {
    return !ownedRun.isWithWorker()
        || report.fence().filter(fence -> LeaseFence.proves(fence, ownedRun)).isPresent();
  }

  /** Cancel a run if it was accepted elsewhere. */
  public Optional<RunState> cancel(Transaction tx, RunId id, String reason, Instant now) {
    List<OwnedRun> accepted =
        store.lock(tx, List.of(id)).stream().filter(OwnedRun::isAccepted).toList();
    return Optional.ofNullable(handovers.cancel(tx, accepted, reason, now).get(id));
  }
}
