package dev.carillon.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Keeps the lease of this node; joins the cluster, and joins it again if the lease was lost. */
final class HeartbeatStep implements Step {
  private final EngineContext engine;
  private final ClusterJoin cluster;
  private final Membership membership;
  private final Dispatcher dispatcher;
  private final RunMessages messages;
  private Instant renewAt = Instant.MIN;

  HeartbeatStep(EngineContext engine, ClusterJoin cluster, Dispatcher dispatcher) {
    this.engine = engine;
    this.cluster = cluster;
    this.membership = engine.membership();
    this.dispatcher = dispatcher;
    this.messages = new RunMessages(engine);
  }

  @Override
  public Duration run(Instant now) {
    if (!membership.holds(now)) {
      rejoin(now);
    } else if (!now.isBefore(renewAt)) {
      renew(now);
    }
    messages.writeProgress();
    messages.stopAsked();
    return Step.shorter(Duration.between(now, renewAt), engine.settings().poll());
  }

  private void renew(Instant now) {
    Duration lease = engine.settings().lease();
    Optional<Integer> alive = engine.stores().nodes().renew(membership.owner(), now, lease);
    if (alive.isPresent()) {
      membership.renewed(now.plus(lease), alive.get());
      renewAt = now.plus(engine.settings().heartbeat());
    } else {
      membership.lost();
      rejoin(now);
    }
  }

  private void rejoin(Instant now) {
    dispatcher.fence();
    cluster.join(now);
    renewAt = now.plus(engine.settings().heartbeat());
  }
}
