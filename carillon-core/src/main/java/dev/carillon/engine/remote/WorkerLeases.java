package dev.carillon.engine.remote;

import dev.carillon.engine.Claimer;
import dev.carillon.engine.EngineContext;
import dev.carillon.engine.Membership;
import dev.carillon.engine.RunEvents;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.model.WorkerInfo;
import dev.carillon.plan.Expiry;
import dev.carillon.store.claim.ClaimStore.Wanted;
import dev.carillon.store.claim.HandoverStore;
import dev.carillon.store.claim.LeaseStore;
import dev.carillon.store.claim.LeaseStore.Renewed;
import dev.carillon.store.claim.LeaseStore.Term;
import dev.carillon.store.claim.OwnedRun;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.run.Owner;
import dev.carillon.target.Lease;
import dev.carillon.target.LeasedRun;
import dev.carillon.target.Renewal;
import dev.carillon.target.StopReason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Claims runs on behalf of workers, which are no nodes: this node claims, and hands over in the
 * same transaction.
 */
public final class WorkerLeases {
  private static final Instant ALWAYS = Instant.EPOCH.minusSeconds(1);

  private final EngineContext engine;
  private final Claimer claimer;
  private final WorkerCompletions completions;
  private final Membership membership;
  private final HandoverStore handovers;
  private final LeaseStore store;

  public WorkerLeases(EngineContext engine, Claimer claimer, WorkerCompletions completions) {
    this.engine = engine;
    this.claimer = claimer;
    this.completions = completions;
    this.membership = engine.membership();
    this.handovers = engine.stores().handovers();
    this.store = engine.stores().leases();
  }

  /**
   * Claim up to {@code max} due runs for {@code worker}, those of the target that has waited
   * longest first; nothing while this node is not a member of the cluster.
   */
  public List<LeasedRun> claim(String worker, Collection<String> targets, int max, Duration lease) {
    Instant now = engine.now();
    if (!membership.holds()) {
      return List.of();
    }
    List<String> due =
        store.seenNextDue(worker, now, lease, targets).entrySet().stream()
            .filter(next -> !next.getValue().isAfter(now))
            .map(Map.Entry::getKey)
            .toList();
    if (due.isEmpty()) {
      return List.of();
    }
    Owner node = membership.owner();
    UUID id = LeaseStore.worker(worker);
    claimer.holdBack(engine.database(), wanted(due, max, now), now);
    LeasedPayloads leased =
        engine.database().inTransaction(tx -> claim(tx, node, id, due, max, lease, now));
    leased.runs().forEach(one -> engine.publish(RunEvents.started(one.run(), now)));
    if (!leased.failed().isEmpty()) {
      completions.complete(leased.failed());
    }
    return leased.workable().stream().map(one -> leasedTo(id, one)).toList();
  }

  private static Wanted wanted(List<String> targets, int max, Instant now) {
    return new Wanted(
        targets.stream().collect(Collectors.toMap(target -> target, target -> max)), ALWAYS, now);
  }

  private LeasedPayloads claim(
      Transaction tx,
      Owner node,
      UUID worker,
      List<String> due,
      int max,
      Duration lease,
      Instant now) {
    var leased = new LeasedPayloads(engine.templates());
    var size = new LeaseBatchSize(max);
    for (String target : due) {
      boolean more = true;
      while (more && size.next() > 0) {
        int wanted = size.next();
        Claimer.Claimed claimed =
            claimer.claim(tx, node, wanted(List.of(target), wanted, now), now);
        for (Run run : claimed.started()) {
          size.add(
              leased.add(
                  new LeasedRun(
                      run,
                      new Lease(run.id(), run.attempt(), LeaseFence.generate()),
                      Expiry.ofLease(engine.starting(tx, run, now), now, lease))));
        }
        more = claimed.started().size() == wanted;
      }
    }
    store.lease(tx, node, worker, leased.runs().stream().map(WorkerLeases::term).toList());
    return leased;
  }

  private static Term term(LeasedRun one) {
    return new Term(one.run(), one.until(), Optional.of(LeaseFence.hash(one.lease().fence())));
  }

  private static LeasedRun leasedTo(UUID worker, LeasedRun one) {
    return new LeasedRun(one.run().leasedTo(worker), one.lease(), one.until());
  }

  /** Let leases of {@code worker} last for {@code lease} from now, and say which it has lost. */
  public Map<RunId, Renewal> renew(String worker, List<Lease> leases, Duration lease) {
    Instant now = engine.now();
    store.seen(worker, now, lease);
    return leases.isEmpty()
        ? Map.of()
        : engine
            .database()
            .inTransaction(tx -> renew(tx, LeaseStore.worker(worker), leases, lease, now));
  }

  private Map<RunId, Renewal> renew(
      Transaction tx, UUID worker, List<Lease> leases, Duration lease, Instant now) {
    Map<RunId, OwnedRun> live =
        byId(handovers.lock(tx, leases.stream().map(Lease::id).distinct().toList()));
    var renewals = new LinkedHashMap<RunId, Renewal>();
    var renewed = new ArrayList<Renewed>();
    for (Lease one : leases) {
      Optional<Run> run =
          Optional.ofNullable(live.get(one.id()))
              .filter(ownedRun -> holds(one, ownedRun))
              .filter(ownedRun -> ownedRun.owner().filter(Owner.leased(worker)::equals).isPresent())
              .map(OwnedRun::run);
      Renewal renewal =
          run.map(held -> renewal(engine.starting(tx, held, now), lease, now)).orElse(lost());
      renewals.put(one.id(), renewal);
      if (run.isPresent() && renewal.shouldContinue()) {
        renewed.add(new Renewed(run.get(), renewal.until().orElse(now)));
      }
    }
    store.renew(tx, renewed);
    return renewals;
  }

  private static Renewal renewal(Run run, Duration lease, Instant now) {
    if (run.reason().isPresent()) {
      return new Renewal(Optional.of(StopReason.CANCELED), run.reason().get(), Optional.empty());
    }
    if (Expiry.isOverdue(run, now)) {
      return new Renewal(Optional.of(StopReason.TIMEOUT), "it took too long", Optional.empty());
    }
    return new Renewal(Optional.empty(), "", Optional.of(Expiry.ofLease(run, now, lease)));
  }

  private static Renewal lost() {
    return new Renewal(Optional.of(StopReason.FENCED), "the lease is lost", Optional.empty());
  }

  /** Return the workers that are there. */
  public List<WorkerInfo> workers() {
    return store.workers(engine.now());
  }

  static Map<RunId, OwnedRun> byId(List<OwnedRun> runs) {
    return runs.stream()
        .collect(Collectors.toMap(ownedRun -> ownedRun.run().id(), Function.identity()));
  }

  /** Return whether {@code lease} is the one by which a worker has the run. */
  static boolean holds(Lease lease, OwnedRun ownedRun) {
    return ownedRun.run().state() == RunState.RUNNING
        && ownedRun.run().attempt() == lease.attempt()
        && LeaseFence.proves(lease.fence(), ownedRun);
  }
}
