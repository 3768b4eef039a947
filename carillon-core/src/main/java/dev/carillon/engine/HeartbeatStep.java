package dev.carillon.engine;

import dev.carillon.Version;
import dev.carillon.event.Event;
import dev.carillon.model.RunId;
import dev.carillon.store.ClaimStore;
import dev.carillon.store.Holder;
import dev.carillon.store.NodeStore;
import dev.carillon.store.PlanStore;
import dev.carillon.store.PlanStore.TakenBack;
import dev.carillon.store.RunStore;
import dev.carillon.target.StopReason;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** Keeps the lease of this node; joins the cluster, and joins it again if the lease was lost. */
final class HeartbeatStep implements Step {
  private final Parts parts;
  private final NodeStore nodes;
  private final PlanStore plans;
  private final ClaimStore claims;
  private final RunStore runs;
  private final RecoveryStep recovery;
  private final Membership membership;
  private final Dispatcher dispatcher;
  private final InFlight inFlight;
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
      Runnable joined) {
    this.parts = parts;
    this.nodes = stores.nodes();
    this.plans = stores.plans();
    this.claims = stores.claims();
    this.runs = stores.runs();
    this.recovery = recovery;
    this.membership = membership;
    this.dispatcher = dispatcher;
    this.inFlight = inFlight;
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
    if (nodes.renew(membership.holder(), now, parts.settings().lease())) {
      membership.renewed(now.plus(parts.settings().lease()));
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

  private void join(Instant now) {
    Joined joining = tryToJoin(now);
    int takenBack = joining.takenBack.runs();
    while (joining.takenBack.more()) {
      joining = tryToJoin(parts.time().instant());
      takenBack += joining.takenBack.runs();
    }
    Holder holder = joining.holder;
    membership.joined(holder, joining.at.plus(parts.settings().lease()));
    recovery.tell(joining.lost, joining.at);
    parts.events().accept(new Event.NodeJoined(joining.at, holder.id(), holder.epoch()));
    if (takenBack > 0) {
      parts.events().accept(new Event.Outage(joining.at, takenBack));
    }
    joined.run();
  }

  /* Nodes join one after the other, so that the first after an outage takes planning back before any
   * of them claims: in many short transactions, and it joins in the one that finds nothing left. */
  private Joined tryToJoin(Instant now) {
    Holder before = membership.holder();
    Holder holder = membership.nextLife();
    return parts.inTransaction(
        () -> {
          nodes.lockJoining();
          boolean alone = !nodes.anyAlive(holder.id(), now);
          Instant since = nodes.lastSeen().orElse(Instant.EPOCH);
          TakenBack takenBack = alone ? plans.takeBack(since, now) : TakenBack.NOTHING;
          if (takenBack.more()) {
            return new Joined(holder, now, Map.of(), takenBack);
          }
          if (before.epoch() > 0) { // whoever never joined holds nothing, and looking is a scan
            recovery.recover(before, now);
          }
          nodes.remove(before.id());
          Map<Holder, Integer> lost = alone ? recovery.recoverDead(now) : Map.of();
          nodes.join(
              holder, parts.settings().name(), Version.current(), now, parts.settings().lease());
          return new Joined(holder, now, lost, takenBack);
        });
  }

  private record Joined(
      Holder holder, Instant at, Map<Holder, Integer> lost, TakenBack takenBack) {}

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
    Map<RunId, String> asked = parts.inTransaction(() -> claims.askedToStop(membership.holder()));
    asked.forEach(
        (id, reason) ->
            inFlight.find(id).ifPresent(attempt -> attempt.stop(StopReason.CANCELED, reason)));
  }
}
