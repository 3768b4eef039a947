package dev.carillon.engine;

import dev.carillon.engine.Claimer.Claimed;
import dev.carillon.model.Run;
import dev.carillon.store.claim.ClaimStore;
import dev.carillon.store.claim.ClaimStore.Wanted;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.run.Owner;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Claims runs the moment they are due, as many as this node has room for, and starts them. */
final class ClaimingStep implements Step {
  /* How long runs are held ready without being started. */
  private static final Duration MAX_HELD_READY = Duration.ofSeconds(2);

  private final EngineContext engine;
  private final Database database;
  private final ClaimStore claims;
  private final Claimer claimer;
  private final Membership membership;
  private final Capacity capacity;
  private final Dispatcher dispatcher;
  private final ClaimPacing pacing;
  /* Whether this node may have claimed runs that it does not know of. */
  private boolean unsure;
  private Instant nextLook = Instant.MIN;

  ClaimingStep(EngineContext engine, Claimer claimer, Dispatcher dispatcher) {
    this.engine = engine;
    this.database = engine.database();
    this.claims = engine.stores().claims();
    this.claimer = claimer;
    this.membership = engine.membership();
    this.dispatcher = dispatcher;
    this.capacity = new Capacity(engine);
    this.pacing =
        new ClaimPacing(capacity, membership, engine.settings(), claims::nextWake, engine.time());
  }

  @Override
  public Duration run(Instant now) {
    if (!membership.holds()) {
      return engine.settings().poll();
    }
    Owner owner = membership.owner();
    withdrawWaiting(now);
    if (unsure) {
      giveBackUnknown(owner, now);
    }
    Optional<Duration> rest = pacing.restInstead(now);
    if (rest.isPresent()) {
      return rest.get();
    }
    Optional<Wanted> newcomers = pacing.newcomers();
    if (newcomers.isPresent()) {
      claim(owner, newcomers.get(), now);
      pacing.newcomersClaimed();
    }
    Optional<Wanted> wanted = pacing.wanted(now);
    Claimed claimed = wanted.isPresent() ? claim(owner, wanted.get(), now) : Claimed.NOTHING;
    return pacing.claimed(claimed, now, engine.now());
  }

  /* A claim whose commit was not confirmed, or whose runs there was no memory to take on, may have
   * happened: what it took is then unknown to this node, and is given back in the next turn. */
  private Claimed claim(Owner owner, Wanted wanted, Instant now) {
    claimer.holdBack(database, wanted, now);
    unsure = true;
    Claimed claimed = claimer.claimFree(database, owner, wanted, now, pacing.wantsNextDue());
    dispatcher.launch(owner, claimed.started(), engine.now());
    if (!claimed.unjudged().isEmpty()) {
      Wanted rest = wanted.only(claimed.unjudgedByTarget(), now);
      Claimed free = claimed;
      Claimed judged =
          database.inTransaction(tx -> claimer.claimUnjudged(tx, owner, rest, free, now));
      dispatcher.launch(owner, judged.started(), engine.now());
      claimed = claimed.with(judged);
    }
    unsure = false;
    return claimed;
  }

  /* Runs are held ready because they are quick; when they turn slow, others can have them. */
  private void withdrawWaiting(Instant now) {
    if (now.isBefore(nextLook)) {
      return;
    }
    nextLook = now.plus(MAX_HELD_READY);
    List<Run> withdrawn = dispatcher.withdrawWaitingSince(now.minus(MAX_HELD_READY));
    capacity.heldTooLong(withdrawn, MAX_HELD_READY);
    if (!withdrawn.isEmpty()) {
      unsure = true; // so that they are given back, also if that should fail for now
    }
  }

  /* A lease that ends meanwhile makes this node forget what it has started; what is unknown then is
   * not what was never started, and is left to recovery. */
  private void giveBackUnknown(Owner owner, Instant now) {
    unsure = !database.inTransaction(tx -> giveBackUnknown(tx, owner, now));
  }

  private boolean giveBackUnknown(Transaction tx, Owner owner, Instant now) {
    List<Run> unknown = claims.claimedBy(tx, owner).stream().filter(run -> !isKnown(run)).toList();
    boolean sure = membership.owner().equals(owner) && membership.holds();
    if (sure) {
      engine.stores().settles().giveBack(tx, owner, unknown, now);
    }
    return sure;
  }

  /* An earlier attempt of the run may still be in flight, its end not written. */
  private boolean isKnown(Run run) {
    return engine
        .inFlight()
        .find(run.id())
        .filter(attempt -> attempt.claimed().attempt() == run.attempt())
        .isPresent();
  }
}
