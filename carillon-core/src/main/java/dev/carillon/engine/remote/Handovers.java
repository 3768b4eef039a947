package dev.carillon.engine.remote;

import dev.carillon.engine.EngineContext;
import dev.carillon.engine.RunEvents;
import dev.carillon.model.EndReason;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.plan.Expiry;
import dev.carillon.plan.Verdict;
import dev.carillon.store.claim.HandoverStore;
import dev.carillon.store.claim.HandoverStore.HandedOver;
import dev.carillon.store.claim.HandoverStore.Handover;
import dev.carillon.store.claim.OwnedRun;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.run.AttemptEnd;
import dev.carillon.store.run.Owner;
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
public final class Handovers {
  private final EngineContext engine;
  private final HandoverStore store;

  public Handovers(EngineContext engine) {
    this.engine = engine;
    this.store = engine.stores().handovers();
  }

  /**
   * Let runs go on without {@code owner}, and return what became of them; those missing were lost
   * to the fence. What was asked to stop ends here: no node looks at it again.
   */
  public Map<RunId, RunState> accept(
      Transaction tx, Owner owner, List<AttemptEnd> accepted, Instant now) {
    if (accepted.isEmpty()) {
      return Map.of();
    }
    Map<RunId, AttemptEnd> byId =
        accepted.stream().collect(Collectors.toMap(one -> one.run().id(), Function.identity()));
    var changed = new HashMap<RunId, RunState>();
    var unwanted = new ArrayList<AttemptEnd>();
    for (HandedOver handedOver :
        store.accept(tx, owner, accepted.stream().map(this::handover).toList())) {
      changed.put(handedOver.id(), RunState.RUNNING);
      AttemptEnd one = byId.get(handedOver.id());
      if (one != null && handedOver.cancelReason().isPresent()) {
        unwanted.add(canceled(one.run(), one.startedAt(), handedOver.cancelReason().get(), now));
      }
    }
    changed.putAll(end(tx, Owner.accepted(owner.id()), unwanted, now));
    return changed;
  }

  private Handover handover(AttemptEnd one) {
    Instant usual =
        one.verdict()
            .wakeAt()
            .orElseGet(() -> one.endedAt().plus(engine.settings().acceptedTimeout()));
    return new Handover(
        one.run(), one.startedAt(), Expiry.ofAccepted(one.run(), one.startedAt(), usual));
  }

  /** Write the external ids of runs that {@code owner} ends. */
  public void call(Transaction tx, Owner owner, List<AttemptEnd> called) {
    if (!called.isEmpty()) {
      store.call(tx, owner, called.stream().map(AttemptEnd::run).toList());
    }
  }

  /** Cancel those of {@code runs} that were accepted elsewhere; return whether there were any. */
  public boolean cancelAccepted(Transaction tx, List<RunId> runs, EndReason reason, Instant now) {
    return !cancel(tx, store.lockAccepted(tx, runs), reason.text(), now).isEmpty();
  }

  /** Cancel locked runs that were accepted elsewhere. */
  Map<RunId, RunState> cancel(Transaction tx, List<OwnedRun> accepted, String reason, Instant now) {
    return end(tx, accepted, ownedRun -> verdict(ownedRun.run(), reason, now), now);
  }

  /** End locked runs, each as {@code verdict} says, under its owner. */
  Map<RunId, RunState> end(
      Transaction tx, List<OwnedRun> runs, Function<OwnedRun, Verdict> verdict, Instant now) {
    var byOwner = new LinkedHashMap<Owner, List<AttemptEnd>>();
    for (OwnedRun ownedRun : runs) {
      Run run = ownedRun.run();
      ownedRun
          .owner()
          .ifPresent(
              owner ->
                  byOwner
                      .computeIfAbsent(owner, one -> new ArrayList<>())
                      .add(new AttemptEnd(run, verdict.apply(ownedRun), startedAt(run, now), now)));
    }
    var changed = new HashMap<RunId, RunState>();
    byOwner.forEach((owner, ends) -> changed.putAll(end(tx, owner, ends, now)));
    return changed;
  }

  /* It may have been claimed before it is due, and end before it began. */
  private static Instant startedAt(Run run, Instant now) {
    return run.startedAt().filter(now::isAfter).orElse(now);
  }

  private Map<RunId, RunState> end(
      Transaction tx, Owner owner, List<AttemptEnd> ends, Instant now) {
    if (ends.isEmpty()) {
      return Map.of();
    }
    Map<RunId, RunState> changed = engine.stores().settles().settle(tx, owner, ends, now);
    tx.publish(RunEvents.of(ends, changed));
    return changed;
  }

  private static AttemptEnd canceled(Run run, Instant startedAt, String reason, Instant now) {
    return new AttemptEnd(run, verdict(run, reason, now), startedAt, now);
  }

  private static Verdict verdict(Run run, String reason, Instant now) {
    return Verdict.of(run, new Outcome.Canceled(reason), now);
  }
}
