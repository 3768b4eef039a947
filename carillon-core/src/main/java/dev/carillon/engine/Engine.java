package dev.carillon.engine;

import dev.carillon.event.EngineLoop;
import dev.carillon.event.Event;
import dev.carillon.store.Database;
import dev.carillon.store.Holder;
import dev.carillon.store.NodeStore;
import dev.carillon.store.RunStore;
import dev.carillon.store.ScheduleStore;
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
  private final Parts parts;
  private final Stores stores;
  private final Targets targets;
  private final Membership membership;
  private final InFlight inFlight = new InFlight();
  private final Completions completions = new Completions();
  private final Dispatcher dispatcher;
  private final Handovers handovers;
  private final Settling settling;
  private final Probing probing;
  private final Admitting admitting;
  private final PullingStep pulling;
  private final HousekeepingStep housekeeping;
  private final Map<EngineLoop, Step> steps = new EnumMap<>(EngineLoop.class);
  private final Wakeups wakeups = new Wakeups();
  private final NodeHealth health;
  private final Departure departure;

  /* What keeps the node alive works on connections of its own, on which nothing else waits. */
  private final Parts vitalParts;
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
      Targets targets,
      Executor workers,
      Consumer<Event> events) {
    this.stores = Stores.on(database);
    this.parts = Parts.on(database, stores, time, settings, events);
    this.vitalStores = Stores.on(vital);
    this.vitalParts = Parts.on(vital, vitalStores, time, settings, events);
    this.targets = targets;
    this.membership = new Membership(id);
    this.dispatcher =
        new Dispatcher(
            parts,
            membership,
            targets,
            inFlight,
            completions,
            workers,
            () -> {
              wakeups.wake(EngineLoop.LAUNCHING);
              wakeups.wake(EngineLoop.TIMEOUTS);
            });
    this.handovers = new Handovers(parts, stores.handovers());
    this.settling = new Settling(parts, handovers);
    this.probing =
        new Probing(parts, targets, handovers, stores.handovers(), workers, wakeups::runsReady);
    this.admitting = new Admitting(stores.claims(), stores.aftermath(), handovers);
    this.pulling =
        new PullingStep(stores.leases(), settings.poll(), () -> wakeups.wake(EngineLoop.PULLING));
    this.housekeeping = new HousekeepingStep(parts, stores, membership);
    this.health = new NodeHealth(time, membership, inFlight);
    this.departure =
        new Departure(
            parts,
            vitalParts,
            vitalStores.nodes(),
            recovery(vitalParts, vitalStores, Optional.empty()),
            membership,
            dispatcher);
    addSteps();
    completions.onArrival(() -> wakeups.wake(EngineLoop.COMPLETION));
    inFlight.onRoom(() -> wakeups.wake(EngineLoop.CLAIMING));
  }

  private RecoveryStep recovery(Parts on, Stores from, Optional<Probing> asking) {
    return new RecoveryStep(on, from, membership, asking, () -> wakeups.wake(EngineLoop.CLAIMING));
  }

  private void addSteps() {
    var joining =
        new ClusterJoin(
            vitalParts,
            vitalStores,
            recovery(vitalParts, vitalStores, Optional.of(probing)),
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
    steps.put(EngineLoop.RECOVERY, recovery(parts, stores, Optional.of(probing)));
    steps.put(
        EngineLoop.PLANNING,
        new PlanningStep(
            parts,
            stores.plans(),
            stores.schedules(),
            membership,
            () -> wakeups.wake(EngineLoop.CLAIMING)));
    steps.put(
        EngineLoop.CLAIMING,
        new ClaimingStep(
            parts, stores.claims(), admitting, membership, targets, inFlight, dispatcher));
    steps.put(EngineLoop.LAUNCHING, new LaunchingStep(dispatcher, parts.settings().poll()));
    steps.put(EngineLoop.TIMEOUTS, new TimeoutStep(inFlight, parts.settings().poll()));
    steps.put(
        EngineLoop.COMPLETION,
        new CompletionStep(parts, settling, membership, completions, inFlight, wakeups::runsReady));
    steps.put(
        EngineLoop.EXPIRY,
        new ExpiryStep(parts, handovers, stores.handovers(), membership, wakeups::runsReady));
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
    return step.run(parts.time().instant());
  }

  /** Return what wakes the loops. */
  public Wakeups wakeups() {
    return wakeups;
  }

  /** Register a handler whose writes and the success of its run are one commit. */
  public Target transactional(TransactionalHandler handler) {
    return new TransactionalTarget(handler, parts);
  }

  /** Return what is wrong with this node. */
  public NodeHealth health() {
    return health;
  }

  /** Return what is done when the node stops. */
  public Departure departure() {
    return departure;
  }

  /** Return what is asked of the node when its clock is moved by hand. */
  public ClockJumps clockJumps() {
    return new ClockJumps(parts, stores, targets, membership, inFlight, dispatcher);
  }

  /** Return what makes room for history. */
  HousekeepingStep housekeeping() {
    return housekeeping;
  }

  /** Return who this node is at the moment. */
  public Holder holder() {
    return membership.holder();
  }

  /** Return how many runs this node has in hand. */
  public int inHand() {
    return inFlight.size();
  }

  /** Return the database as the engine uses it: its transactions publish what they bring about. */
  public Database database() {
    return parts.database();
  }

  /** Return where others report on runs. */
  public Reports reports() {
    return new Reports(parts, handovers, stores.handovers(), stores.runs(), wakeups::runsReady);
  }

  /** Return what workers have on lease. */
  public Leases leases() {
    return new Leases(parts, stores, admitting, membership);
  }

  /** Return where workers say how their runs ended. */
  public WorkerEnds workerEnds() {
    return new WorkerEnds(parts, settling, stores.handovers(), stores.runs(), wakeups::runsReady);
  }

  /** Return where those wait who want runs for workers. */
  public PullingStep pulling() {
    return pulling;
  }

  public ScheduleStore schedules() {
    return stores.schedules();
  }

  public RunStore runs() {
    return stores.runs();
  }

  public NodeStore nodes() {
    return stores.nodes();
  }
}
