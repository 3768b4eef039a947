package dev.carillon.engine;

import dev.carillon.Version;
import dev.carillon.event.Event;
import dev.carillon.model.RunId;
import dev.carillon.store.ClaimStore;
import dev.carillon.store.Holder;
import dev.carillon.store.NodeStore;
import dev.carillon.store.OutageStore;
import dev.carillon.store.OutageStore.Judged;
import dev.carillon.store.OutageStore.Position;
import dev.carillon.store.RunStore;
import dev.carillon.store.Transaction;
import dev.carillon.target.StopReason;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Keeps the lease of this node; joins the cluster, and joins it again if the lease was lost. */
final class HeartbeatStep implements Step {
  private final Parts parts;
  private final NodeStore nodes;
  private final OutageStore outages;
  private final ClaimStore claims;
  private final RunStore runs;
  private final RecoveryStep recovery;
  private final Membership membership;
  private final Dispatcher dispatcher;
  private final InFlight inFlight;
  private final Targets targets;
  private final Runnable joined;
  private Instant renewAt = Instant.MIN;

  /** Call {@code joined} when this node may plan and claim. */
  HeartbeatStep(
      Parts parts,
      Stores stores,
      RecoveryStep recovery,
      Membership membership,
      Dispatcher dispatcher,
      InFlight inFlight,
      Targets targets,
      Runnable joined) {
    this.parts = parts;
    this.nodes = stores.nodes();
    this.outages = stores.outages();
    this.claims = stores.claims();
    this.runs = stores.runs();
    this.recovery = recovery;
    this.membership = membership;
    this.dispatcher = dispatcher;
    this.inFlight = inFlight;
    this.targets = targets;
    this.joined = joined;
  }

  @Override
  public Duration run(Instant now) {
    if (!membership.holds(now)) {
      rejoin(now);
    } else if (!now.isBefore(renewAt)) {
      renew(now);
    }
    writeProgress();
    stopAsked();
    Duration untilRenewal = Duration.between(now, renewAt);
    Duration poll = parts.settings().poll();
    return untilRenewal.compareTo(poll) < 0 ? untilRenewal : poll;
  }

  private void renew(Instant now) {
    Optional<Integer> alive = nodes.renew(membership.holder(), now, parts.settings().lease());
    if (alive.isPresent()) {
      membership.renewed(now.plus(parts.settings().lease()), alive.get());
      renewAt = now.plus(parts.settings().heartbeat());
    } else {
      membership.lost();
      rejoin(now);
    }
  }

  private void rejoin(Instant now) {
    dispatcher.fence();
    join(now);
    renewAt = now.plus(parts.settings().heartbeat());
  }

  /* Nodes join one after the other, so that the first after an outage lets catch-up judge what was
   * planned for it before any of them claims: in many short transactions, and it joins in the one
   * that finds nothing left. Until then the rows of dead nodes stay, which tell since when there was
   * none. */
  private void join(Instant now) {
    Joining joining =
        parts.database().inTransaction(transaction -> recoverAndJoin(transaction, now));
    recovery.tell(joining.lost, now);
    int kept = joining.judged.kept();
    int skipped = joining.judged.skipped();
    while (joining.judged.next().isPresent()) {
      Position position = joining.judged.next().get();
      Instant later = parts.time().instant();
      joining =
          parts.database().inTransaction(transaction -> goOnJoining(transaction, position, later));
      recovery.tell(joining.lost, later);
      kept += joining.judged.kept();
      skipped += joining.judged.skipped();
    }
    Holder holder = membership.nextLife();
    membership.joined(holder, joining.at.plus(parts.settings().lease()), joining.nodes);
    parts.events().accept(new Event.NodeJoined(joining.at, holder.id(), holder.epoch()));
    if (kept + skipped > 0) {
      parts.events().accept(new Event.Outage(joining.at, kept + skipped, skipped));
    }
    joined.run();
  }

  private record Joining(Instant at, Map<Holder, Integer> lost, Judged judged, int nodes) {}

  /* What ends here may let others wake, which are then judged, too. */
  private Joining recoverAndJoin(Transaction transaction, Instant now) {
    nodes.lockJoining(transaction);
    boolean alone = isAlone(transaction, now);
    Holder before = membership.holder();
    if (before.epoch() > 0) { // whoever never joined holds nothing, and looking is a scan
      recovery.recover(transaction, before, now);
    }
    Map<Holder, Integer> lost = alone ? recovery.settleDead(transaction, now) : Map.of();
    Judged judged =
        alone
            ? judge(
                transaction,
                Position.start(nodes.lastSeen(transaction).orElse(Instant.EPOCH), now),
                now)
            : Judged.NOTHING;
    if (judged.next().isPresent()) {
      return new Joining(now, lost, judged, 0);
    }
    lost.keySet().forEach(dead -> nodes.remove(transaction, dead.id()));
    return new Joining(now, lost, judged, enter(transaction, now));
  }

  private Joining goOnJoining(Transaction transaction, Position position, Instant now) {
    nodes.lockJoining(transaction);
    boolean alone = isAlone(transaction, now);
    Judged judged = alone ? judge(transaction, position, now) : Judged.NOTHING;
    if (judged.next().isPresent()) {
      return new Joining(now, Map.of(), judged, 0);
    }
    Map<Holder, Integer> lost = alone ? recovery.recoverDead(transaction, now) : Map.of();
    return new Joining(now, lost, judged, enter(transaction, now));
  }

  private boolean isAlone(Transaction transaction, Instant now) {
    return !nodes.anyAlive(transaction, membership.holder().id(), now);
  }

  private Judged judge(Transaction transaction, Position position, Instant now) {
    return outages.judge(transaction, position, parts.settings().lookahead(), now);
  }

  private int enter(Transaction transaction, Instant now) {
    nodes.remove(transaction, membership.holder().id());
    nodes.offer(transaction, membership.holder().id(), targets.inCode(), now);
    return nodes.join(
        transaction,
        membership.nextLife(),
        parts.settings().name(),
        Version.current(),
        now,
        parts.settings().lease());
  }

  private void writeProgress() {
    var news = new HashMap<RunId, String>();
    inFlight
        .all()
        .forEach(attempt -> attempt.newProgress().ifPresent(text -> news.put(attempt.id(), text)));
    if (!news.isEmpty()) {
      runs.progress(membership.holder(), news);
    }
  }

  private void stopAsked() {
    if (inFlight.size() == 0) {
      return;
    }
    Map<RunId, String> asked =
        parts
            .database()
            .inTransaction(transaction -> claims.askedToStop(transaction, membership.holder()));
    asked.forEach(
        (id, reason) ->
            inFlight.find(id).ifPresent(attempt -> attempt.stop(StopReason.CANCELED, reason)));
  }
}
