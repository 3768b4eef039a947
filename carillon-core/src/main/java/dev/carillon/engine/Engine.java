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
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.run.Owner;
import dev.carillon.store.run.RunStore;
import dev.carillon.target.Target;
import dev.carillon.target.TransactionalHandler;
import java.time.Duration;
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
  private final Dispatcher dispatcher;
  private final Handovers handovers;
  private final CompletionWriter completionWriter;
  private final Claimer claimer;
  private final PullingStep pulling;
  private final HousekeepingStep housekeeping;
  private final NodeHealth health;
  private final NodeDeparture departure;
  private final Map<EngineLoop, Step> steps = new EnumMap<>(EngineLoop.class);

  /**
   * Make a node.
   *
   * @param id unique to this process
   * @param vital where the node stays alive: connections on which nothing else waits, or the same
   *     database
   * @param time the database's clock
   * @param workers where targets are called
   */
  public Engine(
      UUID id,
      Database database,
      Database vital,
      NodeTime time,
      EngineSettings settings,
      NodeTargets targets,
      Executor workers,
      Consumer<Event> events) {
    var wakeups = new Wakeups();
    this.engine =
        new EngineContext(
            database,
            Stores.on(database),
            time,
            settings,
            new Membership(id, time::nanos),
            targets,
            new InFlight(time, () -> wakeups.wake(EngineLoop.CLAIMING)),
            wakeups,
            events,
            new PayloadTemplates());
    var completions = new CompletionQueue(() -> wakeups.wake(EngineLoop.COMPLETION));
    this.dispatcher = new Dispatcher(engine, completions, workers);
    this.handovers = new Handovers(engine);
    this.completionWriter = new CompletionWriter(engine, handovers);
    var quietGate = new QuietGate();
    this.claimer = new Claimer(engine.stores().claims(), handovers, quietGate);
    this.pulling = new PullingStep(engine);
    this.housekeeping = new HousekeepingStep(engine);
    this.health = new NodeHealth(engine);
    EngineContext alive = engine.on(vital);
    var dead = new DeadNodes(time, engine.stores().nodes(), id);
    var deadOnVital = new DeadNodes(time, alive.stores().nodes(), id);
    var probe = Optional.of(new LostRunProbe(engine, handovers, workers));
    var join = new ClusterJoin(alive, new RecoveryStep(alive, deadOnVital, probe));
    this.departure =
        new NodeDeparture(
            engine, alive, new RecoveryStep(alive, deadOnVital, Optional.empty()), dispatcher);
    steps.put(EngineLoop.HEARTBEAT, new HeartbeatStep(alive, join, dispatcher));
    steps.put(EngineLoop.RECOVERY, new RecoveryStep(engine, dead, probe));
    steps.put(EngineLoop.PLANNING, new PlanningStep(engine, quietGate));
    steps.put(EngineLoop.CLAIMING, new ClaimingStep(engine, claimer, dispatcher));
    steps.put(EngineLoop.LAUNCHING, dispatcher::launchDue);
    steps.put(EngineLoop.TIMEOUTS, new TimeoutStep(engine));
    steps.put(EngineLoop.COMPLETION, new CompletionStep(engine, completionWriter, completions));
    steps.put(EngineLoop.EXPIRY, new ExpiryStep(engine, handovers));
    steps.put(EngineLoop.DEADLINES, new DeadlineStep(engine));
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
    return step.run(engine.now());
  }

  public Wakeups wakeups() {
    return engine.wakeups();
  }

  /** Register a handler whose writes and the success of its run are one commit. */
  public Target transactional(TransactionalHandler handler) {
    return new TransactionalTarget(handler, engine);
  }

  public NodeHealth health() {
    return health;
  }

  /** Return what is done when the node stops. */
  public NodeDeparture departure() {
    return departure;
  }

  /** Return what is asked of the node when its clock is moved by hand. */
  public ClockJumps clockJumps() {
    return new ClockJumps(engine, dispatcher);
  }

  HousekeepingStep housekeeping() {
    return housekeeping;
  }

  public Owner owner() {
    return engine.membership().owner();
  }

  /** Return how many runs this node works on. */
  public int inHand() {
    return engine.inFlight().size();
  }

  /** Return {@code other} as the engine uses its own: each statement is planned for its batch. */
  public Database batches(Database other) {
    return other.planningEachCall(engine.settings().lease());
  }

  /** Return the database as the engine uses it: its transactions publish what they bring about. */
  public Database database() {
    return engine.database();
  }

  /** Return what takes reports on runs that went on elsewhere. */
  public RunReports reports() {
    return new RunReports(engine, handovers);
  }

  /** Return what takes reports as part of {@code tx}. */
  public RunReports reports(Transaction tx) {
    return new RunReports(engine.on(engine.database().within(tx)), handovers);
  }

  /** Return how long this node is trusted without a sign of life. */
  public Duration lease() {
    return engine.settings().lease();
  }

  /** Return what leases runs to workers. */
  public WorkerLeases leases() {
    return new WorkerLeases(engine, claimer, workerCompletions());
  }

  /** Return what writes how workers ended their runs. */
  public WorkerCompletions workerCompletions() {
    return new WorkerCompletions(engine, completionWriter);
  }

  /** Return what wakes requests of workers. */
  public PullingStep pulling() {
    return pulling;
  }

  public RunStore runs() {
    return engine.stores().runs();
  }

  public NodeStore nodes() {
    return engine.stores().nodes();
  }
}
