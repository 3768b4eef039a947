package dev.carillon.engine;

import dev.carillon.event.EngineLoop;
import dev.carillon.event.Event;
import dev.carillon.model.Run;
import dev.carillon.store.Database;
import dev.carillon.store.Holder;
import dev.carillon.store.NodeStore;
import dev.carillon.store.PlanStore.Agenda;
import dev.carillon.store.RunStore;
import dev.carillon.store.ScheduleStore;
import dev.carillon.store.SettleStore;
import dev.carillon.store.StoreException;
import dev.carillon.store.Vitals;
import dev.carillon.target.Target;
import dev.carillon.target.TransactionalHandler;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One node: steps that plan, claim, complete, stay alive and clean up, each a function of now.
 *
 * <p>With loops around its steps it runs by itself; without, it is turned by hand.
 */
public final class Engine {
  private static final Logger LOG = LoggerFactory.getLogger(Engine.class);

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
  private volatile Supplier<List<String>> loops = List::of;

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
    this.parts = parts(database, stores, time, settings, events);
    this.vitalStores = Stores.on(vital);
    this.vitalParts = parts(vital, vitalStores, time, settings, events);
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
    furnish();
  }

  private static Parts parts(
      Database database,
      Stores stores,
      InstantSource time,
      EngineSettings settings,
      Consumer<Event> events) {
    return new Parts(
        database.publishingTo(events).planningEachCall(settings.lease()),
        new SettleStore(stores.aftermath()),
        time,
        settings,
        events);
  }

  private void furnish() {
    var recovery =
        new RecoveryStep(
            parts,
            stores,
            membership,
            Optional.of(probing),
            () -> wakeups.wake(EngineLoop.CLAIMING));
    steps.put(
        EngineLoop.HEARTBEAT,
        new HeartbeatStep(
            vitalParts,
            vitalStores,
            new RecoveryStep(
                vitalParts,
                vitalStores,
                membership,
                Optional.of(probing),
                () -> wakeups.wake(EngineLoop.CLAIMING)),
            membership,
            dispatcher,
            inFlight,
            targets,
            () -> {
              wakeups.wake(EngineLoop.PLANNING);
              wakeups.wake(EngineLoop.CLAIMING);
            }));
    steps.put(EngineLoop.RECOVERY, recovery);
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
    completions.onArrival(() -> wakeups.wake(EngineLoop.COMPLETION));
    inFlight.onRoom(() -> wakeups.wake(EngineLoop.CLAIMING));
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

  /**
   * Return how long there will be nothing to do, at most {@code most}: until a run is due, a
   * schedule must be planned, or a pause begins or ends. Work in hand may end or time out at any
   * moment.
   */
  public Duration idle(Duration most) {
    Instant now = parts.time().instant();
    Duration longest = inHand() == 0 ? most : shorter(most, parts.settings().poll());
    Agenda agenda = stores.plans().agenda(now, now);
    return Stream.of(
            stores.claims().nextWake(targets.labels(), Instant.EPOCH),
            dispatcher.nextDue(),
            stores.handovers().nextExpiry(),
            agenda.planBy().map(by -> by.minus(parts.settings().planningAhead())),
            agenda.resumeAt(),
            agenda.pauseAt().filter(now::isBefore))
        .flatMap(Optional::stream)
        .map(moment -> Duration.between(now, moment))
        .map(wait -> wait.isNegative() ? Duration.ZERO : wait)
        .reduce(longest, Engine::shorter);
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  /** Renew the lease for {@code silence} longer than usual: a clock is about to be moved. */
  public void stayAlive(Duration silence) {
    Instant now = parts.time().instant();
    Duration lease = parts.settings().lease().plus(silence);
    if (membership.holds(now)) {
      nodes()
          .renew(holder(), now, lease)
          .ifPresent(alive -> membership.renewed(now.plus(lease), alive));
    }
  }

  /** Return what wakes the loops. */
  public Wakeups wakeups() {
    return wakeups;
  }

  /** Register a handler whose writes and the success of its run are one commit. */
  public Target transactional(TransactionalHandler handler) {
    return new TransactionalTarget(handler, parts);
  }

  /** Ask {@code loops} for a sentence about each loop that does not turn. */
  void watchedBy(Supplier<List<String>> loops) {
    this.loops = loops;
  }

  /**
   * Return a sentence about each thing that is wrong with this node, without asking the database.
   */
  public List<String> ailments() {
    Instant now = parts.time().instant();
    var ailments = new ArrayList<String>();
    if (!membership.holds(now)) {
      ailments.add(Vitals.NOT_RUNNING);
    }
    ailments.addAll(loops.get());
    long stuck = inFlight.lingering().stream().filter(one -> TimeoutStep.isStuck(one, now)).count();
    if (stuck > 0) {
      ailments.add(
          "stuck: %s handlers do not stop though their runs are over, and keep their places"
              .formatted(stuck));
    }
    return ailments;
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

  /** Make room for history before there is any, which is cheap; housekeeping does it again. */
  void prepare() {
    try {
      housekeeping.prepare(parts.time().instant());
    } catch (StoreException e) {
      parts
          .events()
          .accept(
              new Event.TurnFailed(
                  parts.time().instant(),
                  EngineLoop.HOUSEKEEPING,
                  String.valueOf(e.getMessage()),
                  Optional.of(e)));
    }
  }

  /** Give back what has not started. */
  public void giveBack() {
    List<Run> unstarted = dispatcher.withdraw();
    if (!unstarted.isEmpty()) {
      parts
          .database()
          .inTransaction(
              transaction ->
                  parts
                      .settles()
                      .giveBack(transaction, holder(), unstarted, parts.time().instant()));
    }
  }

  /** Ask everything that still runs to stop. */
  public void interrupt() {
    dispatcher.stopAll("the node was stopped");
  }

  /** Leave the cluster: what is still in hand is recovered by others, at once. */
  public void leave() {
    Instant now = parts.time().instant();
    try {
      vitalParts
          .database()
          .inTransaction(
              transaction -> {
                vitalStores.nodes().lockJoining(transaction);
                vitalStores.nodes().stepDown(transaction, holder().id(), now);
                new RecoveryStep(vitalParts, vitalStores, membership, Optional.empty(), () -> {})
                    .recover(transaction, holder(), now);
                if (vitalStores.nodes().anyAlive(transaction, holder().id(), now)) {
                  vitalStores.nodes().remove(transaction, holder().id());
                } else {
                  vitalStores.nodes().endLease(transaction, holder().id(), now);
                }
                return true;
              });
      membership.lost();
    } catch (StoreException e) {
      Thrown.log(LOG, "could not leave the cluster, so others recover its runs after the lease", e);
    }
  }
}
