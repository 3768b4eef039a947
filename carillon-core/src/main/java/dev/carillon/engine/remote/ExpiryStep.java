package dev.carillon.engine.remote;

import dev.carillon.engine.ClockStep;
import dev.carillon.engine.EngineContext;
import dev.carillon.engine.NodeTime;
import dev.carillon.engine.Step;
import dev.carillon.model.Run;
import dev.carillon.plan.Expiry;
import dev.carillon.plan.Verdict;
import dev.carillon.store.claim.HandoverStore;
import dev.carillon.store.claim.OwnedRun;
import dev.carillon.store.jdbc.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Ends runs elsewhere that were not reported on or renewed in time. Every node does this. */
public final class ExpiryStep implements Step {
  private static final int BATCH = 500;

  /* Longer than most leases of workers, which are renewed by the new clock before it is over. */
  private static final Duration STEP_GRACE = Duration.ofMinutes(2);

  private final EngineContext engine;
  private final Handovers handovers;
  private final HandoverStore store;

  public ExpiryStep(EngineContext engine, Handovers handovers) {
    this.engine = engine;
    this.handovers = handovers;
    this.store = engine.stores().handovers();
  }

  @Override
  public Duration run(Instant now) {
    Duration poll = engine.settings().poll();
    if (!engine.membership().holds()) {
      return poll;
    }
    Instant expired = now.minus(recentStep());
    Optional<Duration> wait = store.nextExpiry().map(at -> Duration.between(expired, at));
    if (wait.filter(left -> left.isNegative() || left.isZero()).isPresent()) {
      boolean more = engine.database().inTransaction(tx -> giveUp(tx, expired, now)) == BATCH;
      engine.wakeups().wakeClaimers();
      return more ? Duration.ZERO : poll;
    }
    return wait.map(left -> Step.shorter(left, poll))
        .orElse(engine.settings().longRest()); // mostly no run is elsewhere
  }

  /* A clock that was set forward ends no lease of those that had no time to renew it. */
  private Duration recentStep() {
    NodeTime time = engine.time();
    return time.lastStep()
        .filter(step -> !step.by().isNegative())
        .filter(step -> time.nanos() - step.nanos() < STEP_GRACE.toNanos())
        .map(ClockStep::by)
        .orElse(Duration.ZERO);
  }

  private int giveUp(Transaction tx, Instant until, Instant now) {
    List<OwnedRun> expired = store.lockExpired(tx, until, BATCH);
    handovers.end(tx, expired, ownedRun -> verdict(tx, ownedRun, now), now);
    return expired.size();
  }

  private Verdict verdict(Transaction tx, OwnedRun ownedRun, Instant now) {
    Run run = engine.failing(tx, engine.starting(tx, ownedRun.run(), now), now);
    return ownedRun.isAccepted() ? Expiry.ofSilence(run, now) : Expiry.ofLostLease(run, now);
  }
}
