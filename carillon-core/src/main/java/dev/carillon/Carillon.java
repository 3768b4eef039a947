package dev.carillon;

import dev.carillon.engine.DatabaseClock;
import dev.carillon.engine.Engine;
import dev.carillon.engine.EngineSettings;
import dev.carillon.engine.EventPublisher;
import dev.carillon.engine.NodeTargets;
import dev.carillon.engine.NodeTime;
import dev.carillon.engine.RunEndCounters;
import dev.carillon.engine.RunExecutor;
import dev.carillon.engine.Runner;
import dev.carillon.event.EngineLoop;
import dev.carillon.model.Health;
import dev.carillon.model.Metrics;
import dev.carillon.model.NodeInfo;
import dev.carillon.model.Scope;
import dev.carillon.model.Workflow;
import dev.carillon.store.cluster.ClusterStats;
import dev.carillon.store.cluster.ClusterStatsStore;
import dev.carillon.store.cluster.NodeStore;
import dev.carillon.store.jdbc.Announcements;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.KeptConnections;
import dev.carillon.store.jdbc.PoolSize;
import dev.carillon.store.jdbc.ReservedConnection;
import dev.carillon.store.jdbc.StoreException;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.schema.Migrator;
import dev.carillon.time.AllowedZones;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * A scheduler in your program: the only door to it.
 *
 * <pre>{@code
 * try (Carillon carillon = Carillon.builder()
 *     .dataSource(dataSource)
 *     .target("send-report", context -> send(context.payload()))
 *     .build()
 *     .start()) {
 *   carillon.schedules().upsert(
 *       ScheduleDraft.named("nightly-report").target("send-report").cron("0 2 * * *", "Europe/Rome"));
 *   …
 * }
 * }</pre>
 *
 * <p>Any number of programs on one database are one cluster.
 */
public final class Carillon implements AutoCloseable {
  /* Of a smaller pool none can be kept: one listens, and there must be others to work. */
  private static final int MIN_POOL_TO_RESERVE = 4;
  private static final Duration MIN_HEARTBEAT_TIMEOUT = Duration.ofSeconds(30);

  private static final Duration STATUS_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration LATE = Duration.ofMinutes(1);

  private final DataSource source;
  private final Database database;
  private final boolean migrating;
  private final Engine engine;
  private final InstantSource time;
  private final RunEndCounters counters;
  private final ClusterStatsStore stats;
  private final Lifecycle lifecycle;
  private final TargetRegistry targets;
  private final AllowedZones zones;
  private final Schedules schedules;
  private final Calendars calendars;
  private final QuietHoursPolicies quietHours;
  private final Runs runs;
  private final PullWorkers pullWorkers;
  private final Pings pings;

  private record Lifecycle(Runnable start, Runnable stop) {}

  private Carillon(
      CarillonBuilder draft,
      KeptConnections kept,
      Optional<Database> vital,
      NodeTime time,
      EngineSettings settings,
      Executor workers,
      EventPublisher events,
      RunEndCounters counters,
      Function<Engine, Lifecycle> lifecycle) {
    this.source = draft.source();
    /* Callers do not wait for the database all the time, and should not meet one that has ended. */
    this.database = new Database(source).publishingTo(events);
    this.migrating = draft.migrating();
    var nodeTargets = new NodeTargets();
    var work = new Database(kept).publishingTo(events);
    this.engine =
        new Engine(
            UUID.randomUUID(),
            work,
            vital.orElse(work),
            time,
            settings,
            nodeTargets,
            workers,
            events);
    this.time = time;
    this.counters = counters;
    this.stats = new ClusterStatsStore(database.waitingAtMost(STATUS_TIMEOUT));
    this.targets = draft.register(nodeTargets, engine);
    this.lifecycle = lifecycle.apply(engine);
    this.zones = draft.zones();
    var known = new KnownTargets(targets::labels);
    this.schedules =
        new Schedules(
            database,
            time,
            new ScheduleSettings(
                new AllowedReferences(known, zones),
                draft.defaults(),
                settings.lookahead(),
                settings.retention()),
            () -> {
              engine.wakeups().wake(EngineLoop.PLANNING);
              engine.wakeups().wakeClaimers();
            },
            engine.runs());
    var changer = new RuleChanger(database, time, () -> engine.wakeups().wake(EngineLoop.PLANNING));
    this.calendars = new Calendars(changer);
    this.quietHours = new QuietHoursPolicies(changer);
    this.runs = new Runs(database, engine, time, known, engine.wakeups()::wakeClaimers, "java");
    this.pullWorkers = new PullWorkers(engine, known);
    this.pings = new Pings(database, time, known, "java", Scope.ALL);
  }

  private Carillon(Carillon same, Transaction tx) {
    this.source = same.source;
    this.database = same.database.within(tx);
    this.migrating = same.migrating;
    this.engine = same.engine;
    this.time = same.time;
    this.counters = same.counters;
    this.stats = same.stats;
    this.lifecycle = new Lifecycle(() -> {}, () -> {});
    this.targets = same.targets;
    this.zones = same.zones;
    this.schedules = same.schedules.in(tx);
    this.calendars = same.calendars.in(tx);
    this.quietHours = same.quietHours.in(tx);
    this.runs = same.runs.in(tx);
    this.pullWorkers = same.pullWorkers;
    this.pings = same.pings.in(tx);
  }

  /** Begin to describe a scheduler. */
  public static CarillonBuilder builder() {
    return new CarillonBuilder();
  }

  static Carillon running(CarillonBuilder draft) {
    EngineSettings settings = draft.settings();
    var counters = new RunEndCounters();
    var events = new EventPublisher(draft.listeners(counters));
    var kept = new KeptConnections(draft.source());
    var reserved = new ReservedConnection(draft.source());
    Optional<Database> vital = vital(draft, reserved, settings);
    Database asked = vital.orElseGet(() -> new Database(kept));
    var time =
        new DatabaseClock(new NodeStore(asked)::clock, System::nanoTime)
            .comparing(InstantSource.system());
    var workers = RunExecutor.executor(settings.concurrency());
    return new Carillon(
        draft,
        kept,
        vital,
        time,
        settings,
        workers,
        events,
        counters,
        engine -> {
          var announcements = new Announcements(draft.source());
          var runner = new Runner(engine, settings, time, workers, announcements, events);
          return new Lifecycle(
              () -> {
                PoolSize.refuseOne(draft.source(), workers);
                runner.start();
              },
              () -> {
                runner.stop();
                reserved.close();
                kept.close();
              });
        });
  }

  /* What keeps the node alive has a connection that handlers cannot take, if one is known to spare;
   * a reply that does not come within a lease does not come in time. */
  private static Optional<Database> vital(
      CarillonBuilder draft, ReservedConnection reserved, EngineSettings settings) {
    if (!PoolSize.isAtLeast(MIN_POOL_TO_RESERVE, draft.source())) {
      return Optional.empty();
    }
    Duration lease = settings.lease();
    return Optional.of(
        new Database(reserved)
            .waitingAtMost(
                lease.compareTo(MIN_HEARTBEAT_TIMEOUT) > 0 ? lease : MIN_HEARTBEAT_TIMEOUT));
  }

  static Carillon manual(
      CarillonBuilder draft, NodeTime clock, Executor workers, Consumer<Engine> hand) {
    var counters = new RunEndCounters();
    var events = new EventPublisher(draft.listeners(counters));
    var kept = new KeptConnections(draft.source());
    return new Carillon(
        draft,
        kept,
        Optional.empty(),
        clock,
        draft.settings(),
        workers,
        events,
        counters,
        engine -> {
          hand.accept(engine);
          return new Lifecycle(
              () -> engine.turn(EngineLoop.HEARTBEAT),
              () -> {
                engine.departure().leave();
                kept.close();
              });
        });
  }

  /** Bring the schema up to date, or make sure that it is, join the cluster, plan and run. */
  public Carillon start() {
    var migrator = new Migrator(source, Version.current());
    if (migrating) {
      migrator.migrate();
    } else {
      migrator.check();
    }
    lifecycle.start.run();
    return this;
  }

  /**
   * Do {@code work} in one transaction, whose events are published after the commit. It is repeated
   * if PostgreSQL rolled it back because of another, so it must have no other effects.
   */
  public <T> T inTransaction(Function<Transaction, T> work) {
    return database.inTransaction(work);
  }

  /**
   * Return the same scheduler, whose schedules and runs are read and changed as part of {@code tx}:
   * durable with its commit, and not before. It cannot be started or closed.
   */
  public Carillon in(Transaction tx) {
    return new Carillon(this, tx);
  }

  /** Return the schedules. */
  public Schedules schedules() {
    return schedules;
  }

  /** Return the calendars. */
  public Calendars calendars() {
    return calendars;
  }

  /** Return the quiet hours. */
  public QuietHoursPolicies quietHours() {
    return quietHours;
  }

  /** Return the runs. */
  public Runs runs() {
    return runs;
  }

  /**
   * Return the workflows.
   *
   * @param triggers makes the schedules of a version, under keys of {@link Workflows#key}; it may
   *     refuse, and be called more than once
   */
  public Workflows workflows(Function<Workflow, List<ScheduleDraft>> triggers) {
    return new Workflows(database, schedules, triggers);
  }

  /** Return what watches work that runs elsewhere and pings. */
  public Pings pings() {
    return pings;
  }

  /** Return what processes that are no nodes fetch their runs by. */
  public PullWorkers pullWorkers() {
    return pullWorkers;
  }

  /** Return the targets of this node, which may change while it runs. */
  public TargetRegistry targets() {
    return targets;
  }

  /** Return the time zones that schedules may use. */
  public AllowedZones allowedZones() {
    return zones;
  }

  /** Return the clock that decides: the database's. */
  public InstantSource clock() {
    return time;
  }

  /** Return the nodes of the cluster that are alive. */
  public List<NodeInfo> nodes() {
    Instant now = time.instant();
    return engine.nodes().list().stream().filter(node -> node.leaseUntil().isAfter(now)).toList();
  }

  /** Return how long this node is trusted without a sign of life. */
  public Duration lease() {
    return engine.lease();
  }

  /** Return how many runs this node works on now. */
  public int activeRuns() {
    return engine.inHand();
  }

  /**
   * Tell whether the scheduler does its work, and if not, why not: loops that do not turn, a lost
   * lease, handlers that do not stop, a database that does not answer, more than ten schedules or
   * runs that are over a minute late, more than five running runs that no node works on.
   */
  public Health health() {
    var reasons = new LinkedHashSet<String>();
    Map<String, Long> numbers = Map.of();
    try {
      reasons.addAll(nodeProblems());
      ClusterStats taken = stats.take(nodeId(), time.instant(), LATE, 0);
      reasons.addAll(taken.reasons());
      numbers = taken.numbers();
    } catch (StoreException e) {
      reasons.add("the database cannot be asked: " + e.getMessage());
    }
    return new Health(List.copyOf(reasons), numbers);
  }

  /**
   * Return a sentence about each thing that is wrong with this node itself. The database is not
   * asked, so this is quick also while that is away.
   */
  public List<String> nodeProblems() {
    return engine.health().problems();
  }

  /**
   * Return a sentence about each thing that keeps this node from its work: it has no lease, or a
   * loop does not turn. The database is not asked.
   */
  public List<String> standstills() {
    return engine.health().standstills();
  }

  /** Return figures: schedules, and what ended on this node. */
  public Metrics metrics() {
    return counters.at(time.instant(), stats.schedules());
  }

  /** Return the id of this node. */
  public UUID nodeId() {
    return engine.owner().id();
  }

  /** Claim nothing more, give back what has not started, wait for what runs, and leave. */
  @Override
  public void close() {
    lifecycle.stop.run();
  }
}
