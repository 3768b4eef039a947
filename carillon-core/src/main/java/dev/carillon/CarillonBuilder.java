package dev.carillon;

import dev.carillon.engine.Engine;
import dev.carillon.engine.EngineSettings;
import dev.carillon.engine.HandlerTarget;
import dev.carillon.engine.LogListener;
import dev.carillon.engine.NodeTargets;
import dev.carillon.engine.NodeTime;
import dev.carillon.engine.RunExecutor;
import dev.carillon.event.EngineLoop;
import dev.carillon.event.Listener;
import dev.carillon.event.Meter;
import dev.carillon.event.MeterListener;
import dev.carillon.policy.CatchUp;
import dev.carillon.policy.PolicyDefaults;
import dev.carillon.store.jdbc.PoolSize;
import dev.carillon.target.Handler;
import dev.carillon.target.Target;
import dev.carillon.target.TransactionalHandler;
import dev.carillon.time.AllowedZones;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What a scheduler is to be like. */
public final class CarillonBuilder {
  /* Connections that transactional handlers leave to the scheduler: usually, and at least. */
  private static final int SPARE = 5;
  private static final int MIN_SPARE = 3;
  private static final int DEFAULT_POOL = 10;

  private @Nullable DataSource source;
  private boolean migrating = true;
  private final Map<String, Registration> targets = new LinkedHashMap<>();
  private final Set<String> elsewhere = new LinkedHashSet<>();
  private final List<Listener> listeners = new ArrayList<>(List.of(new LogListener()));
  private Duration lookahead = Duration.ofSeconds(60);
  private Duration poll = Duration.ofSeconds(1);
  private Duration heartbeat = Duration.ofSeconds(5);
  private Duration lease = Duration.ofSeconds(15);
  private Duration claimAhead = Duration.ofMillis(500);
  private int concurrency = RunExecutor.usualConcurrency();
  private @Nullable Integer transactions;
  private Duration drain = Duration.ofSeconds(30);
  private Duration retention = Duration.ofDays(180);
  private Duration acceptedTimeout = Duration.ofHours(24);
  private int catchUpPerTick = 100;
  private PolicyDefaults defaults = PolicyDefaults.BUILT_IN;
  private AllowedZones zones = AllowedZones.ALL;
  private String name = NodeName.ofThisProcess();

  private record Registration(Function<Engine, Target> target, int most) {}

  CarillonBuilder() {}

  /**
   * Keep everything in this PostgreSQL. A pool should have at least six connections to spare; one
   * is kept for listening, and one for the signs of life of this node.
   */
  public CarillonBuilder dataSource(DataSource source) {
    this.source = source;
    return this;
  }

  /** Run {@code handler} for runs with this label. */
  public CarillonBuilder target(String label, Handler handler) {
    return target(label, handler, Integer.MAX_VALUE);
  }

  /** Run {@code handler} for runs with this label, at most {@code most} at a time on this node. */
  public CarillonBuilder target(String label, Handler handler, int most) {
    return register(label, engine -> new HandlerTarget(handler), most);
  }

  /** Run {@code handler}, whose writes commit together with the success of the run. */
  public CarillonBuilder transactionalTarget(String label, TransactionalHandler handler) {
    return transactionalTarget(label, handler, Integer.MAX_VALUE);
  }

  /**
   * Run {@code handler} in the transaction that records its success, at most {@code most} at a
   * time.
   */
  public CarillonBuilder transactionalTarget(String label, TransactionalHandler handler, int most) {
    return register(label, engine -> engine.transactional(handler), most);
  }

  /** Start {@code target}, whose work ends later than the call, for runs with this label. */
  public CarillonBuilder asyncTarget(String label, Target target) {
    return asyncTarget(label, target, Integer.MAX_VALUE);
  }

  /** Start {@code target} for runs with this label, at most {@code most} at a time on this node. */
  public CarillonBuilder asyncTarget(String label, Target target, int most) {
    return register(label, engine -> target, most);
  }

  /** Accept schedules and runs for this label, which only other nodes run. */
  public CarillonBuilder remoteTarget(String label) {
    elsewhere.add(ScheduleLimits.target(label));
    return this;
  }

  private CarillonBuilder register(String label, Function<Engine, Target> target, int most) {
    var registration = new Registration(target, ScheduleLimits.most(label, most));
    if (targets.putIfAbsent(ScheduleLimits.target(label), registration) != null) {
      throw new IllegalArgumentException(
          "target '%s' is registered twice; a label has one target".formatted(label));
    }
    return this;
  }

  /** Tell {@code listener} what happened, after it is durable. */
  public CarillonBuilder listener(Listener listener) {
    listeners.add(listener);
    return this;
  }

  /** Pass figures on to {@code meter}: counts of runs, lateness, durations. */
  public CarillonBuilder meter(Meter meter) {
    return listener(new MeterListener(meter));
  }

  /** Write runs down this far ahead; 60 s unless said. */
  public CarillonBuilder lookahead(Duration lookahead) {
    this.lookahead = lookahead;
    return this;
  }

  /**
   * Claim a run at most this long before it is due, so that it starts on time; 500 ms unless said.
   * A node takes a twentieth of it, and more only when claiming takes longer. A run that is claimed
   * starts, also if its schedule is paused or changed before it is due; zero claims no run early.
   */
  public CarillonBuilder claimAhead(Duration most) {
    this.claimAhead = most;
    return this;
  }

  /** Look for something to do at least this often; 1 s unless said. */
  public CarillonBuilder poll(Duration poll) {
    this.poll = poll;
    return this;
  }

  /** Give a sign of life this often; 5 s unless said. */
  public CarillonBuilder heartbeat(Duration heartbeat) {
    this.heartbeat = heartbeat;
    return this;
  }

  /** Let others take over the runs of a node that was silent for this long; 15 s unless said. */
  public CarillonBuilder lease(Duration lease) {
    this.lease = lease;
    return this;
  }

  /** Work on this many runs at a time; 1,000 on Java 21 or later, 64 before, unless said. */
  public CarillonBuilder concurrency(int runs) {
    this.concurrency = runs;
    return this;
  }

  /**
   * Let this many transactional handlers work at a time, each of which has a connection until it
   * returns. Unless said, all connections of the pool but five, and five if the size of the pool is
   * not known; more than the pool has to spare is refused.
   */
  public CarillonBuilder transactionalConcurrency(int runs) {
    this.transactions = runs;
    return this;
  }

  /** Wait this long for running work when closing; 30 s unless said. */
  public CarillonBuilder drain(Duration drain) {
    this.drain = drain;
    return this;
  }

  /** Keep history this long; 180 days unless said. It is dropped a week at a time. */
  public CarillonBuilder retention(Duration retention) {
    this.retention = retention;
    return this;
  }

  /**
   * Give up a run that an external system has accepted and that has no timeout of its own after
   * this long without a report; 24 h unless said.
   */
  public CarillonBuilder acceptedTimeout(Duration most) {
    this.acceptedTimeout = most;
    return this;
  }

  /**
   * Catch up like this with cron timings and one-shots that do not say; one run for what was missed
   * in the last day, and five minutes of grace, unless said. Intervals that do not say skip what
   * was missed. What is stored already keeps what it has.
   */
  public CarillonBuilder defaultCatchUp(CatchUp catchUp) {
    this.defaults = new PolicyDefaults(catchUp, defaults.queueLimit());
    return this;
  }

  /**
   * Let so many runs wait in the queue of a schedule that does not say how many; 100 unless said.
   * One that is due while as many wait is skipped.
   */
  public CarillonBuilder queueLimit(int runs) {
    this.defaults = new PolicyDefaults(defaults.catchUp(), runs);
    return this;
  }

  /**
   * Catch up with at most so many missed slots of a schedule each time that this node looks for
   * something to do, the oldest first; 100 unless said. The others follow.
   */
  public CarillonBuilder catchUpPerTick(int slots) {
    this.catchUpPerTick = slots;
    return this;
  }

  /**
   * Accept schedules only in these time zones: names, and beginnings of names such as {@code
   * Europe/*}; all unless said. Schedules that are stored already go on as they are.
   */
  public CarillonBuilder allowedZones(String... patterns) {
    return allowedZones(AllowedZones.of(List.of(patterns)));
  }

  /** Accept schedules only in these time zones. */
  public CarillonBuilder allowedZones(AllowedZones zones) {
    this.zones = zones;
    return this;
  }

  /** Call this node by a name people know; unless said, that is its host and process. */
  public CarillonBuilder nodeName(String name) {
    this.name = ScheduleLimits.actor(name);
    return this;
  }

  /** Say whether starting brings the schema up to date; it does unless said. */
  public CarillonBuilder migrate(boolean migrating) {
    this.migrating = migrating;
    return this;
  }

  /** Make the scheduler; {@link Carillon#start} starts it. */
  public Carillon build() {
    return Carillon.running(this);
  }

  /** Make a scheduler that is turned by hand: see {@code dev.carillon.testing.ManualCarillon}. */
  public Carillon buildManual(NodeTime clock, Executor workers, Consumer<Engine> hand) {
    return Carillon.manual(this, clock, workers, hand);
  }

  DataSource source() {
    if (source == null) {
      throw new IllegalStateException(
          "a scheduler needs a database; call dataSource(…) with a PostgreSQL before build()");
    }
    return source;
  }

  AllowedZones zones() {
    return zones;
  }

  boolean migrating() {
    return migrating;
  }

  PolicyDefaults defaults() {
    return defaults;
  }

  /** Return the listeners, and {@code ours} as the first of them. */
  List<Listener> listeners(Listener ours) {
    var all = new ArrayList<Listener>();
    all.add(ours);
    all.addAll(listeners);
    return all;
  }

  /** Register what is to run on {@code engine}, and return the registry to go on with. */
  TargetRegistry register(NodeTargets here, Engine engine) {
    targets.forEach(
        (label, registration) ->
            here.add(label, registration.target.apply(engine), registration.most));
    return new TargetRegistry(here, elsewhere, () -> engine.wakeups().wake(EngineLoop.CLAIMING));
  }

  /* A transactional handler has a connection for as long as it works. */
  private int transactions() {
    Integer asked = transactions;
    if (source == null) {
      return asked == null ? 1 : asked;
    }
    OptionalInt pool = PoolSize.of(source);
    if (asked != null && asked > pool.orElse(Integer.MAX_VALUE) - MIN_SPARE) {
      throw new IllegalArgumentException(
          "transactionalConcurrency must leave at least %s of the pool's %s connections to the scheduler; was %s"
              .formatted(MIN_SPARE, pool.getAsInt(), asked));
    }
    return asked != null ? asked : Math.max(1, pool.orElse(DEFAULT_POOL) - SPARE);
  }

  EngineSettings settings() {
    return new EngineSettings(
        lookahead,
        claimAhead,
        poll,
        heartbeat,
        lease,
        concurrency,
        transactions(),
        drain,
        retention,
        acceptedTimeout,
        catchUpPerTick,
        name,
        Version.current());
  }
}
