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
import dev.carillon.store.claim.ClaimPosition;
import dev.carillon.store.claim.ClaimStore;
import dev.carillon.store.claim.ClaimStore.Due;
import dev.carillon.store.claim.ClaimStore.Wanted;
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
import java.util.TreeSet;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;

/** Claims due runs as their overlap rules allow, for this node or for workers. */
public final class Claimer {
  private final ClaimStore claims;
  private final LaneReplacement replacement;

  Claimer(ClaimStore claims, Handovers handovers) {
    this.claims = claims;
    this.replacement = new LaneReplacement(handovers);
  }

  /**
   * What a claim did, to be launched once it is durable.
   *
   * @param started the runs that were claimed
   * @param skipped whether others were skipped
   * @param seen how many due runs of each target it looked at
   * @param last the last of them
   * @param retrySoon whether some are to be judged again in a moment
   * @param judgeAgainAt when some are to be judged
   */
  public record Claimed(
      List<Run> started,
      boolean skipped,
      Map<String, Integer> seen,
      Map<String, ClaimPosition> last,
      boolean retrySoon,
      Optional<Instant> judgeAgainAt) {
    static final Claimed NOTHING =
        new Claimed(List.of(), false, Map.of(), Map.of(), false, Optional.empty());

    int seen(String target) {
      return seen.getOrDefault(target, 0);
    }

    boolean changed() {
      return !started.isEmpty() || skipped;
    }
  }

  /** Claim what is {@code wanted}. */
  public Claimed claim(Transaction tx, Owner owner, Wanted wanted, Instant now) {
    List<Due> due = claims.claimDue(tx, owner, wanted, now);
    if (due.isEmpty()) {
      return Claimed.NOTHING;
    }
    var seen = new HashMap<String, Integer>();
    var last = new HashMap<String, ClaimPosition>();
    var started = new ArrayList<Run>();
    var inLanes = new ArrayList<Due>();
    Optional<Instant> judgedAt = Optional.empty();
    for (Due one : due) {
      seen.merge(one.run().target(), 1, Integer::sum);
      var position = new ClaimPosition(one.wakeAt(), one.run().id().schedule());
      last.merge(one.run().target(), position, BinaryOperator.maxBy(naturalOrder()));
      if (one.run().state() == RunState.RUNNING) { // mostly so: its lane is free, or it has none
        started.add(one.run());
      } else if (!one.wakeAt().isAfter(now)) {
        inLanes.add(one);
      } else if (judgedAt.filter(at -> at.isBefore(one.wakeAt())).isEmpty()) {
        judgedAt = Optional.of(one.wakeAt()); // its lane may be free by then
      }
    }
    if (inLanes.isEmpty()) {
      return new Claimed(started, false, seen, last, false, judgedAt);
    }
    var lanes = new TreeSet<Long>();
    inLanes.forEach(one -> lanes.add(one.run().id().schedule()));
    Map<Long, Lane> locked = claims.lock(tx, lanes);
    Admission admission =
        Admission.judge(inLanes.stream().map(Due::run).toList(), locked, behind(inLanes));
    boolean skipped = skip(tx, admission, now);
    started.addAll(claims.claimJudged(tx, owner, with(admission, Answer.START), now));
    claims.park(tx, with(admission, Answer.WAIT));
    boolean freed = replacement.stopHolders(tx, admission, now);
    boolean left = freed || !with(admission, Answer.LEAVE).isEmpty();
    return new Claimed(started, skipped, seen, last, left, judgedAt);
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
        .collect(Collectors.toSet());
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
