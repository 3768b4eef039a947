package dev.carillon.engine;

import dev.carillon.model.EndReason;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.plan.Expiry;
import dev.carillon.plan.Verdict;
import dev.carillon.store.Away;
import dev.carillon.store.HandoverStore;
import dev.carillon.store.HandoverStore.Gone;
import dev.carillon.store.HandoverStore.Leaving;
import dev.carillon.store.Holder;
import dev.carillon.store.Settled;
import dev.carillon.store.Transaction;
import dev.carillon.target.Outcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Lets runs go on without their node, and ends them there. */
final class Handovers {
  private final Parts parts;
  private final HandoverStore store;

  Handovers(Parts parts, HandoverStore store) {
    this.parts = parts;
    this.store = store;
  }

  /**
   * Let runs go on without {@code holder}, and return what became of them; those missing were lost
   * to the fence. What somebody wants to stop ends here: nobody will look at it again.
   */
  Map<RunId, RunState> accept(Transaction tx, Holder holder, List<Settled> accepted, Instant now) {
    if (accepted.isEmpty()) {
      return Map.of();
    }
    Map<RunId, Settled> byId =
        accepted.stream().collect(Collectors.toMap(one -> one.run().id(), Function.identity()));
    var changed = new HashMap<RunId, RunState>();
    var unwanted = new ArrayList<Settled>();
    for (Gone gone : store.accept(tx, holder, accepted.stream().map(this::leaving).toList())) {
      changed.put(gone.id(), RunState.RUNNING);
      Settled one = byId.get(gone.id());
      if (one != null && gone.cancelReason().isPresent()) {
        unwanted.add(canceled(one.run(), one.startedAt(), gone.cancelReason().get(), now));
      }
    }
    changed.putAll(end(tx, Holder.accepted(holder.id()), unwanted, now));
    return changed;
  }

  private Leaving leaving(Settled one) {
    Instant usual =
        one.verdict()
            .wakeAt()
            .orElseGet(() -> one.endedAt().plus(parts.settings().acceptedTimeout()));
    return new Leaving(
        one.run(), one.startedAt(), Expiry.ofAccepted(one.run(), one.startedAt(), usual));
  }

  /** Write what runs that {@code holder} ends are called by those who did them. */
  void call(Transaction tx, Holder holder, List<Settled> called) {
    if (!called.isEmpty()) {
      store.call(tx, holder, called.stream().map(Settled::run).toList());
    }
  }

  /** Cancel those of {@code runs} that were accepted elsewhere; return whether there were any. */
  boolean cancelAccepted(Transaction tx, List<RunId> runs, EndReason reason, Instant now) {
    return !cancel(tx, store.lockAccepted(tx, runs), reason.text(), now).isEmpty();
  }

  /** Cancel locked runs that were accepted elsewhere. */
  Map<RunId, RunState> cancel(Transaction tx, List<Away> accepted, String reason, Instant now) {
    return end(tx, accepted, away -> verdict(away.run(), reason, now), now);
  }

  /** End locked runs, each as {@code verdict} says, with whoever has it. */
  Map<RunId, RunState> end(
      Transaction tx, List<Away> runs, Function<Away, Verdict> verdict, Instant now) {
    var byHolder = new LinkedHashMap<Holder, List<Settled>>();
    for (Away away : runs) {
      Run run = away.run();
      away.holder()
          .ifPresent(
              holder ->
                  byHolder
                      .computeIfAbsent(holder, one -> new ArrayList<>())
                      .add(new Settled(run, verdict.apply(away), startedAt(run, now), now)));
    }
    var changed = new HashMap<RunId, RunState>();
    byHolder.forEach((holder, ends) -> changed.putAll(end(tx, holder, ends, now)));
    return changed;
  }

  /* It may have been claimed before it is due, and end before it began. */
  private static Instant startedAt(Run run, Instant now) {
    return run.startedAt().filter(now::isAfter).orElse(now);
  }

  private Map<RunId, RunState> end(Transaction tx, Holder holder, List<Settled> ends, Instant now) {
    if (ends.isEmpty()) {
      return Map.of();
    }
    Map<RunId, RunState> changed = parts.settles().settle(tx, holder, ends, now);
    tx.publish(
        ends.stream()
            .filter(one -> one.verdict().state() == changed.get(one.run().id()))
            .map(Ends::of)
            .toList());
    return changed;
  }

  private static Settled canceled(Run run, Instant startedAt, String reason, Instant now) {
    return new Settled(run, verdict(run, reason, now), startedAt, now);
  }

  private static Verdict verdict(Run run, String reason, Instant now) {
    return Verdict.of(run, new Outcome.Canceled(reason), now);
  }
}
