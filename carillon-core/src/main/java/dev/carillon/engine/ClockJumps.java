package dev.carillon.engine;

import dev.carillon.store.ping.PingStore;
import dev.carillon.store.plan.PlanStore.Agenda;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/** Says how far a clock that is moved by hand may jump, and keeps the lease meanwhile. */
public final class ClockJumps {
  private final EngineContext engine;
  private final Dispatcher dispatcher;

  ClockJumps(EngineContext engine, Dispatcher dispatcher) {
    this.engine = engine;
    this.dispatcher = dispatcher;
  }

  /**
   * Return how long there will be nothing to do, at most {@code most}: until a run is due, a
   * schedule must be planned, or a pause begins or ends. What runs may end or time out at any
   * moment.
   */
  public Duration untilNextWork(Duration most) {
    Instant now = engine.now();
    Stores stores = engine.stores();
    Duration longest =
        engine.inFlight().size() == 0 ? most : Step.shorter(most, engine.settings().poll());
    Agenda agenda = stores.plans().agenda(now, now);
    return Stream.of(
            stores.claims().nextWake(engine.targets().labels(), Instant.EPOCH),
            dispatcher.nextDue(),
            stores.handovers().nextExpiry(),
            stores.deadlines().next(),
            stores.expectations().next(),
            new PingStore(engine.database()).next(),
            agenda.planBy().map(by -> by.minus(engine.settings().planningAhead())),
            agenda.resumeAt(),
            agenda.pauseAt().filter(now::isBefore))
        .flatMap(Optional::stream)
        .map(moment -> Duration.between(now, moment))
        .map(wait -> wait.isNegative() ? Duration.ZERO : wait)
        .reduce(longest, Step::shorter);
  }

  /** Renew the lease for {@code silence} longer than usual: a clock is about to be moved. */
  public void stayAlive(Duration silence) {
    long asked = engine.time().nanos();
    Instant now = engine.now();
    Duration lease = engine.settings().lease().plus(silence);
    Membership membership = engine.membership();
    if (membership.holds()) {
      engine
          .stores()
          .nodes()
          .renew(membership.owner(), now, lease, engine.time().machineAhead())
          .ifPresent(alive -> membership.renewed(new Membership.Term(asked, lease), alive));
    }
  }
}
