package dev.carillon.engine;

import dev.carillon.event.Event;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.model.WorkerInfo;
import dev.carillon.plan.Expiry;
import dev.carillon.store.Away;
import dev.carillon.store.ClaimStore.Wanted;
import dev.carillon.store.HandoverStore;
import dev.carillon.store.Holder;
import dev.carillon.store.LeaseStore;
import dev.carillon.store.LeaseStore.Term;
import dev.carillon.store.Transaction;
import dev.carillon.target.Lease;
import dev.carillon.target.Leased;
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
public final class Leases {
  private static final Instant ALWAYS = Instant.EPOCH.minusSeconds(1);

  private final Parts parts;
  private final Admitting admitting;
  private final Membership membership;
  private final HandoverStore handovers;
  private final LeaseStore store;

  Leases(Parts parts, Stores stores, Admitting admitting, Membership membership) {
    this.parts = parts;
    this.admitting = admitting;
    this.membership = membership;
    this.handovers = stores.handovers();
    this.store = stores.leases();
  }

  /**
   * Claim up to {@code max} due runs for {@code worker}, those of the target that has waited
   * longest first; nothing while this node is not a member of the cluster.
   */
  public List<Leased> claim(String worker, Collection<String> targets, int max, Duration lease) {
    Instant now = parts.time().instant();
    if (!membership.holds(now)) {
      return List.of();
    }
    store.seen(worker, now, lease);
    var due = new ArrayList<String>();
    store.nextDue(targets).forEach((target, at) -> addIf(!at.isAfter(now), due, target));
    if (due.isEmpty()) {
      return List.of();
    }
    Holder node = membership.holder();
    UUID id = LeaseStore.worker(worker);
    List<Term> terms =
        parts.database().inTransaction(tx -> claim(tx, node, id, due, max, lease, now));
    terms.forEach(
        term ->
            parts.publish(
                new Event.Started(
                    now, Ends.ref(term.run()), term.run().dueAt(), term.run().attempt())));
    return terms.stream().map(term -> leased(term, id)).toList();
  }

  private static void addIf(boolean wanted, List<String> list, String item) {
    if (wanted) {
      list.add(item);
    }
  }

  private List<Term> claim(
      Transaction tx,
      Holder node,
      UUID worker,
      List<String> due,
      int max,
      Duration lease,
      Instant now) {
    var terms = new ArrayList<Term>();
    for (String target : due) {
      int room = max - terms.size();
      if (room > 0) {
        Wanted wanted = new Wanted(Map.of(target, room), ALWAYS, now);
        for (Run run : admitting.claim(tx, node, wanted, now).started()) {
          terms.add(new Term(run, Expiry.ofLease(run, now, lease)));
        }
      }
    }
    store.lease(tx, node, worker, terms);
    return terms;
  }

  private static Leased leased(Term term, UUID worker) {
    Run run = term.run().leasedTo(worker);
    return new Leased(run, new Lease(run.id(), run.attempt(), worker.toString()), term.until());
  }

  /** Let leases of {@code worker} last for {@code lease} from now, and say which it has lost. */
  public Map<RunId, Renewal> renew(String worker, List<Lease> leases, Duration lease) {
    Instant now = parts.time().instant();
    store.seen(worker, now, lease);
    return leases.isEmpty()
        ? Map.of()
        : parts
            .database()
            .inTransaction(tx -> renew(tx, LeaseStore.worker(worker), leases, lease, now));
  }

  private Map<RunId, Renewal> renew(
      Transaction tx, UUID worker, List<Lease> leases, Duration lease, Instant now) {
    Map<RunId, Away> live =
        byId(handovers.lock(tx, leases.stream().map(Lease::id).distinct().toList()));
    var renewals = new LinkedHashMap<RunId, Renewal>();
    var terms = new ArrayList<Term>();
    for (Lease one : leases) {
      Optional<Run> run =
          Optional.ofNullable(live.get(one.id()))
              .filter(away -> holds(one, away))
              .filter(away -> away.holder().filter(Holder.leased(worker)::equals).isPresent())
              .map(Away::run);
      Renewal renewal = run.map(held -> renewal(held, lease, now)).orElse(lost());
      renewals.put(one.id(), renewal);
      if (run.isPresent() && renewal.goesOn()) {
        terms.add(new Term(run.get(), renewal.until().orElse(now)));
      }
    }
    store.renew(tx, terms);
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
    return store.workers(parts.time().instant());
  }

  static Map<RunId, Away> byId(List<Away> runs) {
    return runs.stream().collect(Collectors.toMap(away -> away.run().id(), Function.identity()));
  }

  /** Tell whether {@code lease} is the one by which a worker has the run. */
  static boolean holds(Lease lease, Away away) {
    return away.run().state() == RunState.RUNNING
        && away.run().attempt() == lease.attempt()
        && away.holder()
            .filter(Holder::isLeased)
            .filter(
                holder -> lease.fence().isEmpty() || holder.id().toString().equals(lease.fence()))
            .isPresent();
  }
}
