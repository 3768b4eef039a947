package dev.carillon.engine;

import dev.carillon.engine.Claimer.Claimed;
import dev.carillon.engine.Claimer.NextDue;
import dev.carillon.store.claim.ClaimStore.Wanted;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Decides when this node claims, how many runs and from which position, by its last claims.
 *
 * <p>Each question has one measurement that answers it:
 *
 * <ul>
 *   <li><b>How early?</b> By as long as the last claims took ({@link ClaimLead}), so that runs
 *       start when they are due and not a claim later: 14 instead of 45 ms late with 1,000
 *       schedules every second (ADR 0021).
 *   <li><b>How many?</b> What runs at a time, and what will be over in a moment at the pace of the
 *       last runs ({@link Capacity}, {@link RecentRunTimes}): quick work in large claims, slow work
 *       left to other nodes (ADR 0021).
 *   <li><b>From where on?</b> Behind a backlog, from where the last claim ended ({@link
 *       BacklogPosition}), not through all that runs already (ADR 0028).
 *   <li><b>How soon again?</b> Behind a backlog at once; behind one without end when half of what
 *       is ready is gone, since planning a claim costs PostgreSQL 1.1 ms whatever it finds (ADR
 *       0029). Without a backlog when the next run is due.
 *   <li><b>What first?</b> Behind a backlog, what became due since the last look, every 50 ms by
 *       one of the nodes, so that a backlog of one target does not hold up the others.
 * </ul>
 *
 * <p>They stay apart because each is wrong at another time, and is tested alone. Planning is paced
 * by a {@link PlanningBatch}, on a thread of its own and by the time that is left.
 */
final class ClaimPacing {
  private static final Instant ALWAYS = Instant.EPOCH.minusSeconds(1);
  private static final Duration RETRY_REST = Duration.ofMillis(20);
  private static final Duration NEWCOMERS_EVERY = Duration.ofMillis(50);
  private static final int MAX_NODES_LOOKING = 4;

  /* So far from the database, a claim that finds nothing costs less than to ask before each. */
  private static final Duration FAR = Duration.ofMillis(10);

  private final Capacity capacity;
  private final ClaimLead claimLead;
  private final BacklogPosition backlogPosition = new BacklogPosition();
  private final Membership membership;
  private final Duration poll;
  private final NextWake nextWake;
  private final InstantSource time;

  /* Up to when all runs that became due were looked at. */
  private Instant lookedUntil = ALWAYS;
  private boolean backlog;

  /* How long the last question took that found nothing to claim. */
  private Duration roundTrip = Duration.ZERO;

  /* When the next run is due as far as was seen; there may be others by now. */
  private Optional<Instant> nextDueAt = Optional.of(ALWAYS);

  /* Of the current turn. */
  private Map<String, Integer> free = Map.of();
  private Instant until = ALWAYS;

  /** Asks the database when the next run of some targets is due. */
  @FunctionalInterface
  interface NextWake {
    /** Return the first moment after {@code after} at which a run of {@code targets} is due. */
    Optional<Instant> of(Collection<String> targets, Instant after);
  }

  ClaimPacing(
      Capacity capacity,
      Membership membership,
      EngineSettings settings,
      NextWake nextWake,
      InstantSource time) {
    this.capacity = capacity;
    this.membership = membership;
    this.claimLead = new ClaimLead(settings.claimAhead());
    this.poll = settings.poll();
    this.nextWake = nextWake;
    this.time = time;
  }

  /** Begin a turn; return how long to rest instead if there is nothing to claim, or no room. */
  Optional<Duration> restInstead(Instant now) {
    free = capacity.free();
    until = claimLead.until(now);
    if (free.isEmpty()) {
      return Optional.of(poll);
    }
    if (backlog && capacity.canWait() && until.isBefore(nextNewcomers())) {
      return Optional.of(Step.shorter(Duration.between(until, nextNewcomers()), poll));
    }
    if (!backlog && isAfter(nextDueAt, until) && roundTrip.compareTo(FAR) < 0) {
      Instant asked = time.instant();
      nextDueAt = nextWake.of(free.keySet(), ALWAYS);
      roundTrip = Duration.between(asked, time.instant());
      if (isAfter(nextDueAt, until)) { // mostly so, and that should cost little
        return Optional.of(untilExpected(Stream.empty()));
      }
    }
    return Optional.empty();
  }

  /** Return what became due since the last look, if it is to be claimed before the backlog. */
  Optional<Wanted> newcomers() {
    boolean first = backlog && !until.isBefore(nextNewcomers());
    Optional<Wanted> wanted =
        first ? Optional.of(new Wanted(halves(free), lookedUntil, until)) : Optional.empty();
    if (first || !backlog) {
      lookedUntil = until;
    }
    return wanted;
  }

  private Instant nextNewcomers() {
    int looking = Math.min(MAX_NODES_LOOKING, membership.nodes());
    return lookedUntil.plus(NEWCOMERS_EVERY.multipliedBy(looking));
  }

  /** Record that newcomers were claimed, which take up room. */
  void newcomersClaimed() {
    free = capacity.free();
  }

  /** Return what is to be claimed; empty if there is no room left. */
  Optional<Wanted> wanted(Instant now) {
    return free.isEmpty()
        ? Optional.empty()
        : Optional.of(new Wanted(free, backlogPosition.positions(now), ALWAYS, until));
  }

  /** Record what the turn that began at {@code now} claimed; return how long to rest. */
  Duration claimed(Claimed claimed, Instant now, Instant ended) {
    var usedUp = new HashMap<String, Integer>(free);
    usedUp.entrySet().removeIf(given -> claimed.seen(given.getKey()) < given.getValue());
    if (!free.isEmpty()) {
      capacity.usedUp(usedUp);
    }
    boolean unsure = backlogPosition.claimed(free, claimed);
    backlog = !usedUp.isEmpty() || free.isEmpty() || unsure;
    if (!claimed.changed()) {
      roundTrip = Duration.between(now, ended);
    } else {
      claimLead.claimed(now, ended, backlog && !capacity.isFull());
    }
    if (!usedUp.isEmpty()) {
      return claimed.changed() ? Duration.ZERO : RETRY_REST;
    }
    if (unsure) {
      return Duration.ZERO;
    }
    if (claimed.retrySoon()) {
      return RETRY_REST;
    }
    nextDueAt = claimed.next().map(NextDue::at).orElseGet(() -> nextWake.of(free.keySet(), until));
    return untilExpected(claimed.judgeAgainAt().stream());
  }

  /* From now, not from when the turn began: far from the database, a turn takes longer than a rest. */
  private Duration untilExpected(Stream<Instant> sooner) {
    Instant now = time.instant();
    return Stream.concat(sooner, nextDueAt.map(claimLead::before).stream())
        .map(at -> Duration.between(now, at))
        .reduce(poll, Step::shorter);
  }

  /** Tell whether a claim should also find out when the next run is due. */
  boolean wantsNextDue() {
    return !backlog;
  }

  private static boolean isAfter(Optional<Instant> moment, Instant until) {
    return moment.filter(at -> !at.isAfter(until)).isEmpty();
  }

  private static Map<String, Integer> halves(Map<String, Integer> free) {
    var halves = new HashMap<String, Integer>();
    free.forEach((label, room) -> halves.put(label, Math.max(1, room / 2)));
    return halves;
  }
}
