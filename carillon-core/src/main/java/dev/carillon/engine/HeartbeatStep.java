package dev.carillon.engine;

import dev.carillon.engine.Membership.Term;
import dev.carillon.event.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Keeps the lease of this node; joins the cluster, and joins it again if the lease was lost. */
final class HeartbeatStep implements Step {
  private final EngineContext engine;
  private final NodeTime time;
  private final ClusterJoin cluster;
  private final Membership membership;
  private final Dispatcher dispatcher;
  private final RunMessages messages;
  private Optional<ClockStep> announced;

  /* When the lease was last asked for, in nanoseconds. */
  private long askedAt;

  HeartbeatStep(EngineContext engine, ClusterJoin cluster, Dispatcher dispatcher) {
    this.engine = engine;
    this.time = engine.time();
    this.cluster = cluster;
    this.membership = engine.membership();
    this.dispatcher = dispatcher;
    this.messages = new RunMessages(engine);
    this.announced = time.lastStep();
  }

  @Override
  public Duration run(Instant now) {
    boolean stepped = announceStep();
    if (!membership.holds()) {
      rejoin();
    } else if (stepped || untilRenewal().isZero()) {
      renew();
    }
    messages.writeProgress();
    messages.stopAsked();
    return Step.shorter(untilRenewal(), engine.settings().poll());
  }

  private Duration untilRenewal() {
    Duration passed = Duration.ofNanos(time.nanos() - askedAt);
    Duration left = engine.settings().heartbeat().minus(passed);
    return left.isNegative() ? Duration.ZERO : left;
  }

  /* The lease in the database is by the clock as it was; other loops rest for what it said. */
  private boolean announceStep() {
    Optional<ClockStep> step = time.lastStep();
    if (step.equals(announced)) {
      return false;
    }
    announced = step;
    step.ifPresent(one -> engine.publish(new Event.ClockStepped(one.at(), one.by())));
    engine.wakeups().wakeAll();
    return true;
  }

  private void renew() {
    Duration lease = engine.settings().lease();
    long asked = time.nanos(); // before the clock is read: the process may be frozen in between
    Instant now = engine.now();
    Optional<Integer> alive =
        engine.stores().nodes().renew(membership.owner(), now, lease, time.machineAhead());
    if (alive.isPresent()) {
      membership.renewed(new Term(asked, lease), alive.get());
      askedAt = asked;
    } else {
      membership.lost();
      rejoin();
    }
  }

  private void rejoin() {
    dispatcher.fence();
    askedAt = cluster.join();
  }
}
