package dev.carillon.engine;

import static java.util.Comparator.naturalOrder;

import dev.carillon.engine.remote.Handovers;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.plan.Admission;
import dev.carillon.plan.Admission.Admitted;
import dev.carillon.plan.Admission.Answer;
import dev.carillon.plan.Lane;
import dev.carillon.policy.Overlap;
import dev.carillon.store.claim.ClaimPosition;
import dev.carillon.store.claim.ClaimStore;
import dev.carillon.store.claim.ClaimStore.Due;
import dev.carillon.store.claim.ClaimStore.Wanted;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.run.Owner;
import dev.carillon.store.run.UnstartedRuns;
import dev.carillon.store.run.UnstartedRuns.Unstarted;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;

/** Claims due runs as their overlap rules allow, for this node or for workers. */
public final class Claimer {
  private final ClaimStore claims;
  private final LaneReplacement replacement;
  private final QuietGate quietGate;

  Claimer(ClaimStore claims, Handovers handovers, QuietGate quietGate) {
    this.claims = claims;
    this.quietGate = quietGate;
    this.replacement = new LaneReplacement(handovers);
  }

  /** When the next run is due; empty if there is none. */
  record NextDue(Optional<Instant> at) {}

  /**
   * What a claim did, to be launched once it is durable.
   *
   * @param started the runs that were claimed
   * @param skipped whether others were skipped
   * @param seen how many due runs of each target it looked at
   * @param last the last of them
   * @param retrySoon whether some are to be judged again in a moment
   * @param judgeAgainAt when some are to be judged
   * @param unjudged due runs that are still to be judged against their lanes
   * @param next when the next run is due after those it looked for, if that was asked
   */
  public record Claimed(
      List<Run> started,
      boolean skipped,
      Map<String, Integer> seen,
      Map<String, ClaimPosition> last,
      boolean retrySoon,
      Optional<Instant> judgeAgainAt,
      List<Run> unjudged,
      Optional<NextDue> next) {
    static final Claimed NOTHING = new Found(List.of(), Instant.MIN).claimed(Optional.empty());

    Map<String, Integer> unjudgedByTarget() {
      return unjudged.stream().collect(Collectors.toMap(Run::target, run -> 1, Integer::sum));
    }

    /** Return the same with what became of those that were unjudged. */
    Claimed with(Claimed judged) {
      var all = new ArrayList<Run>(started);
      all.addAll(judged.started);
      return new Claimed(
          all, judged.skipped, seen, last, judged.retrySoon, judgeAgainAt, judged.unjudged, next);
    }

    int seen(String target) {
      return seen.getOrDefault(target, 0);
    }

    boolean changed() {
      return !started.isEmpty() || skipped;
    }
  }

  /** Hold back what is late and would start in quiet time, before {@code wanted} is claimed. */
  public void holdBack(Database database, Wanted wanted, Instant now) {
    quietGate.holdBack(database, wanted.targets().keySet(), wanted.until(), now);
  }

  /** Claim what is {@code wanted}. */
  public Claimed claim(Transaction tx, Owner owner, Wanted wanted, Instant now) {
    var found = new Found(claims.claimDue(tx, owner, wanted, now), now);
    return found.inLanes.isEmpty()
        ? found.claimed(Optional.empty())
        : judge(tx, owner, found, claims.lock(tx, lanes(found.runs())), Set.of());
  }

  /**
   * Claim what is {@code wanted} and free, in one round trip to {@code database}; runs whose lane
   * is taken stay unjudged.
   */
  Claimed claimFree(
      Database database, Owner owner, Wanted wanted, Instant now, boolean withNextDue) {
    var due = new ArrayList<Due>();
    var next = new ArrayList<NextDue>();
    database.inOneTrip(
        trip -> {
          due.clear();
          next.clear();
          claims.claimDue(trip, owner, wanted, now, due::add);
          if (withNextDue) {
            claims.nextWake(
                trip, wanted.targets().keySet(), wanted.until(), at -> next.add(new NextDue(at)));
          }
        });
    return new Found(due, now).claimed(next.stream().findFirst());
  }

  /**
   * Claim what is {@code wanted}, of which those that {@code free} left unjudged are known to be in
   * lanes. What would be skipped for a run that has just started is left for the next claim, as
   * that run may take no time.
   */
  Claimed claimUnjudged(Transaction tx, Owner owner, Wanted wanted, Claimed free, Instant now) {
    var due = new ArrayList<Due>();
    claims.claimDueLater(tx, owner, wanted, now, due::add);
    Map<Long, Lane> locked = claims.lock(tx, lanes(free.unjudged)); // both are sent together
    var found = new Found(due, now);
    return found.inLanes.isEmpty()
        ? found.claimed(Optional.empty())
        : judge(tx, owner, found, locked, lanes(free.started));
  }

  private static SortedSet<Long> lanes(List<Run> runs) {
    var lanes = new TreeSet<Long>();
    runs.forEach(run -> lanes.add(run.id().schedule()));
    return lanes;
  }

  /* What a claim found: mostly claimed already, as the lane is free or there is none. */
  private static final class Found {
    private final Instant now;
    private final Map<String, Integer> seen = new HashMap<>();
    private final Map<String, ClaimPosition> last = new HashMap<>();
    private final List<Run> started = new ArrayList<>();
    private final List<Due> inLanes = new ArrayList<>();
    private Optional<Instant> judgedAt = Optional.empty();

    Found(List<Due> due, Instant now) {
      this.now = now;
      due.forEach(this::add);
    }

    private void add(Due one) {
      seen.merge(one.run().target(), 1, Integer::sum);
      var position = new ClaimPosition(one.wakeAt(), one.run().id().schedule());
      last.merge(one.run().target(), position, BinaryOperator.maxBy(naturalOrder()));
      if (one.run().state() == RunState.RUNNING) {
        started.add(one.run());
      } else if (!one.wakeAt().isAfter(now)) {
        inLanes.add(one);
      } else if (judgedAt.filter(at -> at.isBefore(one.wakeAt())).isEmpty()) {
        judgedAt = Optional.of(one.wakeAt()); // its lane may be free by then
      }
    }

    Claimed claimed(Optional<NextDue> next) {
      return new Claimed(started, false, seen, last, false, judgedAt, runs(), next);
    }

    List<Run> runs() {
      return inLanes.stream().map(Due::run).toList();
    }
  }

  private Claimed judge(
      Transaction tx, Owner owner, Found found, Map<Long, Lane> locked, Set<Long> entered) {
    Instant now = found.now;
    Set<RunId> behind = behind(found.inLanes);
    found.runs().stream()
        .filter(run -> run.overlap().equals(Overlap.SKIP))
        .map(Run::id)
        .filter(id -> entered.contains(id.schedule()))
        .forEach(behind::add);
    Admission admission = Admission.judge(found.runs(), locked, behind);
    boolean skipped = skip(tx, admission, now);
    var started = new ArrayList<Run>(found.started);
    started.addAll(claims.claimJudged(tx, owner, with(admission, Answer.START), now));
    claims.park(tx, with(admission, Answer.WAIT));
    boolean freed = replacement.stopHolders(tx, admission, now);
    boolean left = freed || !with(admission, Answer.LEAVE).isEmpty();
    return new Claimed(
        started,
        skipped,
        found.seen,
        found.last,
        left,
        found.judgedAt,
        List.of(),
        Optional.empty());
  }

  /* The oldest due run of a lane may be locked by another node; those after it then wait a moment. */
  private static Set<RunId> behind(List<Due> due) {
    var here = new HashSet<String>();
    due.forEach(one -> here.add(one.run().id().schedule() + "@" + one.run().slot()));
    return due.stream()
        .filter(
            one ->
                one.oldest()
                    .filter(slot -> !here.contains(one.run().id().schedule() + "@" + slot))
                    .isPresent())
        .map(one -> one.run().id())
        .collect(Collectors.toCollection(HashSet::new));
  }

  static List<Run> with(Admission admission, Answer answer) {
    return admission.judged().stream()
        .filter(one -> one.answer() == answer)
        .map(Admitted::run)
        .toList();
  }

  /* Before others start: a run that makes way for one of them leaves it the lane, which is then not
   * for one that was parked before. What was tried before is not skipped any more, but canceled. */
  private boolean skip(Transaction tx, Admission admission, Instant now) {
    replacement.skipWaiting(tx, admission, now);
    List<Unstarted> skipped =
        admission.judged().stream()
            .filter(one -> one.answer() == Answer.SKIP)
            .map(Claimer::skipped)
            .toList();
    new UnstartedRuns(tx).end(skipped, now);
    return !skipped.isEmpty();
  }

  private static Unstarted skipped(Admitted admitted) {
    return new Unstarted(
        admitted.run().id(),
        admitted.run().attempt() == 0 ? RunState.SKIPPED : RunState.CANCELED,
        admitted.reason().orElseThrow());
  }
}
