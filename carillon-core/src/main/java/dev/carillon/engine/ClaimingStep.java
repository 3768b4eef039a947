package dev.carillon.engine;

import dev.carillon.engine.Admitting.Claimed;
import dev.carillon.model.Run;
import dev.carillon.store.ClaimStore;
import dev.carillon.store.ClaimStore.Wanted;
import dev.carillon.store.Holder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Claims runs the moment they are due, as many as this node has room for, and starts them. */
final class ClaimingStep implements Step {
  /* How long runs are held ready without being started. */
  private static final Duration MAX_HELD_READY = Duration.ofSeconds(2);

  private final Parts parts;
  private final ClaimStore claims;
  private final Admitting admitting;
  private final Membership membership;
  private final Targets targets;
  private final Capacity capacity;
  private final Dispatcher dispatcher;
  private final InFlight inFlight;
  private final ClaimPacing pacing;
  private boolean doubt;
  private Instant nextLook = Instant.MIN;

  ClaimingStep(
      Parts parts,
      ClaimStore claims,
      Admitting admitting,
      Membership membership,
      Targets targets,
      InFlight inFlight,
      Dispatcher dispatcher) {
    this.parts = parts;
    this.claims = claims;
    this.admitting = admitting;
    this.membership = membership;
    this.targets = targets;
    this.inFlight = inFlight;
    this.dispatcher = dispatcher;
    this.capacity = new Capacity(targets, inFlight, parts.settings(), membership::nodes);
    this.pacing = new ClaimPacing(capacity, membership, parts.settings(), claims::nextWake);
  }

  @Override
  public Duration run(Instant now) {
    if (!membership.holds(now)) {
      return parts.settings().poll();
    }
    Holder holder = membership.holder();
    withdrawWaiting(now);
    if (doubt) {
      giveBackUnknown(holder, now);
    }
    Optional<Duration> rest = pacing.restInstead(now);
    if (rest.isPresent()) {
      return rest.get();
    }
    Optional<Wanted> newcomers = pacing.newcomers();
    if (newcomers.isPresent()) {
      claim(holder, newcomers.get(), now);
      pacing.newcomersClaimed();
    }
    Optional<Wanted> wanted = pacing.wanted(now);
    Claimed claimed = wanted.isPresent() ? claim(holder, wanted.get(), now) : Claimed.NOTHING;
    return pacing.claimed(claimed, now, parts.time().instant());
  }

  /* A claim whose commit was not confirmed, or that there was no memory to take in hand, may have
   * happened: what it took is then unknown to this node, and is given back in the next turn. */
  private Claimed claim(Holder holder, Wanted wanted, Instant now) {
    doubt = true;
    Claimed claimed =
        parts.database().inTransaction(tx -> admitting.claim(tx, holder, wanted, now));
    dispatcher.launch(holder, claimed.started(), parts.time().instant());
    doubt = false;
    return claimed;
  }

  /* Runs are held ready because they are quick; when they turn slow, others can have them. */
  private void withdrawWaiting(Instant now) {
    if (now.isBefore(nextLook)) {
      return;
    }
    nextLook = now.plus(MAX_HELD_READY);
    List<Run> withdrawn = dispatcher.withdrawWaitingSince(now.minus(MAX_HELD_READY));
    if (withdrawn.stream().anyMatch(run -> targets.isTransactional(run.target()))) {
      capacity.transactionsHeldTooLong(MAX_HELD_READY);
    }
    if (withdrawn.stream().anyMatch(run -> !targets.isTransactional(run.target()))) {
      capacity.heldTooLong(MAX_HELD_READY);
    }
    if (!withdrawn.isEmpty()) {
      doubt = true; // so that they are given back, also if that should fail for now
    }
  }

  /* A lease that ends meanwhile makes this node forget what it has started; what is unknown then is
   * not what was never started, and is left to recovery. */
  private void giveBackUnknown(Holder holder, Instant now) {
    doubt =
        !parts
            .database()
            .inTransaction(
                tx -> {
                  List<Run> unknown =
                      claims.heldBy(tx, holder).stream().filter(run -> !isInHand(run)).toList();
                  boolean sure =
                      membership.holder().equals(holder)
                          && membership.holds(parts.time().instant());
                  if (sure) {
                    parts.settles().giveBack(tx, holder, unknown, now);
                  }
                  return sure;
                });
  }

  /* An earlier attempt of the run may still be in hand, its end not written. */
  private boolean isInHand(Run run) {
    return inFlight
        .find(run.id())
        .filter(attempt -> attempt.claimed().attempt() == run.attempt())
        .isPresent();
  }
}
