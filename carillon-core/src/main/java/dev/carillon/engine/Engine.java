package dev.carillon.engine;

import dev.carillon.engine.remote.ExpiryStep;
import dev.carillon.engine.remote.Handovers;
import dev.carillon.engine.remote.LostRunProbe;
import dev.carillon.engine.remote.PullingStep;
import dev.carillon.engine.remote.RunReports;
import dev.carillon.engine.remote.WorkerCompletions;
import dev.carillon.engine.remote.WorkerLeases;
import dev.carillon.event.EngineLoop;
import dev.carillon.event.Event;
import dev.carillon.store.cluster.NodeStore;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.run.Owner;
import dev.carillon.store.run.RunStore;
import dev.carillon.target.Target;
import dev.carillon.target.TransactionalHandler;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * One node: steps that plan, claim, complete, stay alive and clean up, each a function of now,
 * wired to what they share.
 *
 * <p>With loops around its steps it runs by itself; without, it is turned by hand.
 */
public final class Engine {
  private final EngineContext engine;
  private final Stores stores;
  private final NodeTargets targets;
  private final Membership membership;
  private final InFlight inFlight = new InFlight();
  private final CompletionQueue completions = new CompletionQueue();
  private final Dispatcher dispatcher;
  private final Handovers handovers;
  private final CompletionWriter completionWriter;
  private final LostRunProbe lostRunProbe;
  private final Claimer claimer;
  private final PullingStep pulling;
  private final HousekeepingStep housekeeping;
  private final Map<EngineLoop, Step> steps = new EnumMap<>(EngineLoop.class);
  private final Wakeups wakeups = new Wakeups();
  private final NodeHealth health;
  private final NodeDeparture departure;

  /* What keeps the node alive works on connections of its own, on which nothing else waits. */
  private final EngineContext vitalParts;
  private final Stores vitalStores;

  /**
   * Make a node.
   *
   * @param id unique to this process
   * @param vital where the node stays alive: a connection that is always there, or the same
   *     database
   * @param time the database's clock
   * @param workers where targets are called
   */
  public Engine(
      UUID id,
      Database database,
      Database vital,
      InstantSource time,
      EngineSettings settings,
      NodeTargets targets,
      Executor workers,
      Consumer<Event> events) {
    this.stores = Stores.on(database);
    this.engine = EngineContext.on(database, stores, time, settings, events);
    this.vitalStores = Stores.on(vital);
    this.vitalParts = EngineContext.on(vital, vitalStores, time, settings, events);
    this.targets = targets;
    this.membership = new Membership(id);
    this.dispatcher =
        new Dispatcher(
            engine,
            membership,
            targets,
            inFlight,
            completions,
            workers,
            () -> {
              wakeups.wake(EngineLoop.LAUNCHING);
              wakeups.wake(EngineLoop.TIMEOUTS);
            });
    this.handovers = new Handovers(engine, stores.handovers());
    this.completionWriter = new CompletionWriter(engine, handovers);
    this.lostRunProbe =
        new LostRunProbe(
            engine, targets, handovers, stores.handovers(), workers, wakeups::runsReady);
    this.claimer = new Claimer(stores.claims(), handovers);
    this.pulling =
        new PullingStep(stores.leases(), settings.poll(), () -> wakeups.wake(EngineLoop.PULLING));
    this.housekeeping = new HousekeepingStep(engine, stores, membership);
    this.health = new NodeHealth(time, membership, inFlight);
    this.departure =
        new NodeDeparture(
            engine,
            vitalParts,
            vitalStores.nodes(),
            recovery(vitalParts, vitalStores, Optional.empty()),
            membership,
            dispatcher);
    addSteps();
    completions.onArrival(() -> wakeups.wake(EngineLoop.COMPLETION));
    inFlight.onRoom(() -> wakeups.wake(EngineLoop.CLAIMING));
  }

  private RecoveryStep recovery(EngineContext on, Stores from, Optional<LostRunProbe> asking) {
    return new RecoveryStep(on, from, membership, asking, () -> wakeups.wake(EngineLoop.CLAIMING));
  }

  private void addSteps() {
    var joining =
        new ClusterJoin(
            vitalParts,
            vitalStores,
            recovery(vitalParts, vitalStores, Optional.of(lostRunProbe)),
            membership,
            targets,
            () -> {
              wakeups.wake(EngineLoop.PLANNING);
              wakeups.wake(EngineLoop.CLAIMING);
            });
    steps.put(
        EngineLoop.HEARTBEAT,
        new HeartbeatStep(
            vitalParts,
            vitalStores.nodes(),
            joining,
            membership,
            dispatcher,
            new RunMessages(vitalParts, vitalStores, membership, inFlight)));
    steps.put(EngineLoop.RECOVERY, recovery(engine, stores, Optional.of(lostRunProbe)));
    steps.put(
        EngineLoop.PLANNING,
        new PlanningStep(
            engine, stores.plans(), membership, () -> wakeups.wake(EngineLoop.CLAIMING)));
    steps.put(
        EngineLoop.CLAIMING,
        new ClaimingStep(
            engine, stores.claims(), claimer, membership, targets, inFlight, dispatcher));
    steps.put(EngineLoop.LAUNCHING, new LaunchingStep(dispatcher, engine.settings().poll()));
    steps.put(EngineLoop.TIMEOUTS, new TimeoutStep(inFlight, engine.settings().poll()));
    steps.put(
        EngineLoop.COMPLETION,
        new CompletionStep(
            engine, completionWriter, membership, completions, inFlight, wakeups::runsReady));
    steps.put(
        EngineLoop.EXPIRY,
        new ExpiryStep(engine, handovers, stores.handovers(), membership, wakeups::runsReady));
    steps.put(EngineLoop.PULLING, pulling);
    steps.put(EngineLoop.HOUSEKEEPING, housekeeping);
  }

  /** Return the steps, in the order in which a first turn makes sense. */
  public Map<EngineLoop, Step> steps() {
    return Collections.unmodifiableMap(steps);
  }

  /** Take one turn of {@code loop}, now. */
  public Duration turn(EngineLoop loop) {
    Step step = steps.get(loop);
    if (step == null) {
      throw new IllegalArgumentException(loop + " turns by itself only; try " + steps.keySet());
    }
    return step.run(engine.time().instant());
  }

  /** Return what wakes the loops. */
  public Wakeups wakeups() {
    return wakeups;
  }

  /** Register a handler whose writes and the success of its run are one commit. */
  public Target transactional(TransactionalHandler handler) {
    return new TransactionalTarget(handler, engine);
  }

  /** Return what is wrong with this node. */
  public NodeHealth health() {
    return health;
  }

  /** Return what is done when the node stops. */
  public NodeDeparture departure() {
    return departure;
  }

  /** Return what is asked of the node when its clock is moved by hand. */
  public ClockJumps clockJumps() {
    return new ClockJumps(engine, stores, targets, membership, inFlight, dispatcher);
  }

  /** Return what makes room for history. */
  HousekeepingStep housekeeping() {
    return housekeeping;
  }

  /** Return who this node is at the moment. */
  public Owner owner() {
    return membership.owner();
  }

  /** Return how many runs this node has in hand. */
  public int inHand() {
    return inFlight.size();
  }

  /** Return the database as the engine uses it: its transactions publish what they bring about. */
  public Database database() {
    return engine.database();
  }

  /** Return where others report on runs. */
  public RunReports reports() {
    return new RunReports(engine, handovers, stores.handovers(), stores.runs(), wakeups::runsReady);
  }

  /** Return what workers have on lease. */
  public WorkerLeases leases() {
    return new WorkerLeases(engine, stores, claimer, membership);
  }

  /** Return where workers say how their runs ended. */
  public WorkerCompletions workerCompletions() {
    return new WorkerCompletions(
        engine, completionWriter, stores.handovers(), stores.runs(), wakeups::runsReady);
  }

  /** Return where those wait who want runs for workers. */
  public PullingStep pulling() {
    return pulling;
  }

  public RunStore runs() {
    return stores.runs();
  }

  public NodeStore nodes() {
    return stores.nodes();
  }
}
