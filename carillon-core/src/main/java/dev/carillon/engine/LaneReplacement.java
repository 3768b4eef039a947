package dev.carillon.engine;

import dev.carillon.engine.remote.Handovers;
import dev.carillon.model.EndReason;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.plan.Admission;
import dev.carillon.plan.Admission.Answer;
import dev.carillon.plan.Admission.Replaced;
import dev.carillon.store.claim.ReplacedRunStore;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.run.UnstartedRuns;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Lets due runs replace the unfinished run of their lane, and those that wait there. */
final class LaneReplacement {
  private final ReplacedRunStore store = new ReplacedRunStore();
  private final Handovers handovers;

  LaneReplacement(Handovers handovers) {
    this.handovers = handovers;
  }

  /** Skip what waits in the lanes of runs that replace others. */
  void skipWaiting(Transaction tx, Admission admission, Instant now) {
    for (RunId replacing : replacing(admission)) {
      new UnstartedRuns(tx)
          .end(store.parked(tx, replacing), RunState.SKIPPED, EndReason.REPLACED, now);
    }
  }

  /* Runs that wait for the end of the run before them, and those that start in place of one. */
  private static List<RunId> replacing(Admission admission) {
    Set<Long> freed =
        admission.judged().stream()
            .filter(one -> one.reason().filter(EndReason.REPLACED::equals).isPresent())
            .map(one -> one.run().id().schedule())
            .collect(Collectors.toSet());
    Stream<RunId> starting =
        Claimer.with(admission, Answer.START).stream()
            .map(Run::id)
            .filter(id -> freed.contains(id.schedule()));
    return Stream.concat(admission.replaced().stream().map(Replaced::by), starting).toList();
  }

  /**
   * Stop the runs that hold the lanes: one that waits for its retry ends here, and so does one that
   * goes on elsewhere, which no node could stop; one that runs is asked to. Returns whether a lane
   * has become free so.
   */
  boolean stopHolders(Transaction tx, Admission admission, Instant now) {
    List<RunId> holders =
        admission.replaced().stream().flatMap(one -> one.holder().stream()).toList();
    if (holders.isEmpty()) {
      return false;
    }
    new UnstartedRuns(tx)
        .end(store.lockPending(tx, holders), RunState.CANCELED, EndReason.REPLACED, now);
    boolean freed = handovers.cancelAccepted(tx, holders, EndReason.REPLACED, now);
    store.askToStop(tx, holders, EndReason.REPLACED);
    return freed;
  }
}
