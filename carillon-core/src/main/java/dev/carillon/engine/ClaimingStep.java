package dev.carillon.engine;

import dev.carillon.engine.Admitting.Claimed;
import dev.carillon.model.Run;
import dev.carillon.store.ClaimStore;
import dev.carillon.store.ClaimStore.Wanted;
import dev.carillon.store.Holder;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Claims runs the moment they are due, as many as this node has room for, and starts them. */
final class ClaimingStep implements Step {
  private static final Instant ALWAYS = Instant.EPOCH.minusSeconds(1);
  private static final Duration SOON = Duration.ofMillis(20);

  /* How long runs are held ready without being started. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  /* Behind a backlog, what has just become due is looked for this often, by one node or another. */
  private static final Duration FAIR = Duration.ofMillis(50);
  private static final int MOST_LOOKING = 4;

  private final Parts parts;
  private final ClaimStore claims;
  private final Admitting admitting;
  private final Membership membership;
  private final Targets targets;
  private final Capacity capacity;
  private final Dispatcher dispatcher;
  private final InFlight inFlight;
  private final Lead lead;
  private final Passed passed = new Passed();
  private Instant lastTurn = ALWAYS;
  private boolean backlog;
  private boolean doubt;
  private Instant nextLook = ALWAYS;

  /* When the next run is due as far as was seen; there may be others by now. */
  private Optional<Instant> expected = Optional.of(ALWAYS);

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
    this.lead = new Lead(parts.settings().claimAhead());
    this.capacity = new Capacity(targets, inFlight, parts.settings(), membership::nodes);
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
    Map<String, Integer> free = capacity.free();
    if (free.isEmpty()) {
      return parts.settings().poll();
    }
    Instant until = lead.until(now);
    Instant nextFair = lastTurn.plus(FAIR.multipliedBy(Math.min(MOST_LOOKING, membership.nodes())));
    if (backlog && capacity.canWait() && until.isBefore(nextFair)) {
      return shorter(Duration.between(until, nextFair), parts.settings().poll());
    }
    if (!backlog && isAfter(expected, until)) {
      expected = claims.nextWake(free.keySet(), ALWAYS);
      if (isAfter(expected, until)) { // mostly so, and that should cost little
        return untilExpected(Stream.empty(), now);
      }
    }
    boolean newcomersFirst = backlog && !until.isBefore(nextFair);
    if (newcomersFirst) {
      claim(holder, new Wanted(halves(free), lastTurn, until), now);
      free = capacity.free();
    }
    if (newcomersFirst || !backlog) {
      lastTurn = until;
    }
    Claimed claimed =
        free.isEmpty()
            ? Claimed.NOTHING
            : claim(holder, new Wanted(free, passed.places(now), ALWAYS, until), now);
    return rest(free, claimed, until, now);
  }

  private Duration rest(Map<String, Integer> free, Claimed claimed, Instant until, Instant now) {
    var usedUp = new HashMap<String, Integer>(free);
    usedUp.entrySet().removeIf(given -> claimed.seen(given.getKey()) < given.getValue());
    if (!free.isEmpty()) {
      capacity.usedUp(usedUp);
    }
    boolean unsure = passed.claimed(free, claimed);
    backlog = !usedUp.isEmpty() || free.isEmpty() || unsure;
    if (claimed.changed()) {
      lead.claimed(now, parts.time().instant(), backlog && !capacity.isFull());
    }
    if (!usedUp.isEmpty()) {
      return claimed.changed() ? Duration.ZERO : SOON;
    }
    if (unsure) {
      return Duration.ZERO;
    }
    if (claimed.left()) {
      return SOON;
    }
    expected = claims.nextWake(free.keySet(), until);
    return untilExpected(claimed.judgedAt().stream(), now);
  }

  private Duration untilExpected(Stream<Instant> sooner, Instant now) {
    return Stream.concat(sooner, expected.map(lead::before).stream())
        .map(at -> Duration.between(now, at))
        .reduce(parts.settings().poll(), ClaimingStep::shorter);
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private static boolean isAfter(Optional<Instant> moment, Instant until) {
    return moment.filter(at -> !at.isAfter(until)).isEmpty();
  }

  private static Map<String, Integer> halves(Map<String, Integer> free) {
    var halves = new HashMap<String, Integer>();
    free.forEach((label, room) -> halves.put(label, Math.max(1, room / 2)));
    return halves;
  }

  /* A claim whose commit was not confirmed, or that there was no memory to take in hand, may have
   * happened: what it took is then unknown to this node, and is given back in the next turn. */
  private Claimed claim(Holder holder, Wanted wanted, Instant now) {
    doubt = true;
    Claimed claimed =
        parts
            .database()
            .inTransaction(transaction -> admitting.claim(transaction, holder, wanted, now));
    dispatcher.launch(holder, claimed.started(), parts.time().instant());
    doubt = false;
    return claimed;
  }

  /* Runs are held ready because they are quick; when they turn slow, others can have them. */
  private void withdrawWaiting(Instant now) {
    if (now.isBefore(nextLook)) {
      return;
    }
    nextLook = now.plus(PATIENCE);
    List<Run> withdrawn = dispatcher.withdrawWaitingSince(now.minus(PATIENCE));
    if (withdrawn.stream().anyMatch(run -> targets.isTransactional(run.target()))) {
      capacity.transactionsHeldTooLong(PATIENCE);
    }
    if (withdrawn.stream().anyMatch(run -> !targets.isTransactional(run.target()))) {
      capacity.heldTooLong(PATIENCE);
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
                transaction -> {
                  List<Run> unknown =
                      claims.heldBy(transaction, holder).stream()
                          .filter(run -> !isInHand(run))
                          .toList();
                  boolean sure =
                      membership.holder().equals(holder)
                          && membership.holds(parts.time().instant());
                  if (sure) {
                    parts.settles().giveBack(transaction, holder, unknown, now);
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
