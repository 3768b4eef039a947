package dev.carillon.server;

import dev.carillon.Carillon;
import dev.carillon.Version;
import dev.carillon.postgres.LocalPostgres;
import dev.carillon.server.log.Logs;
import dev.carillon.server.signin.Tls;
import dev.carillon.server.watch.DatabaseMonitor;
import dev.carillon.server.web.HealthProbes;
import dev.carillon.server.web.RequestPipeline;
import dev.carillon.server.web.Routes;
import dev.carillon.server.web.TrustedProxies;
import dev.carillon.server.web.WebServer;
import dev.carillon.store.schema.MigrationResult;
import dev.carillon.store.schema.MigrationStep;
import dev.carillon.store.schema.Migrator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Carillon server: HTTP, a scheduler, a pool of connections and, unless a database is given, an
 * embedded PostgreSQL.
 *
 * <p>HTTP starts first: a port in use is reported before seconds are spent, and an orchestrator
 * sees a process that lives though it is not ready. It also stops first. A start that fails stops
 * what it had started.
 */
public final class Server implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Server.class);
  private static final Duration CHECK_TIMEOUT = Duration.ofSeconds(1);

  private final ServerSettings settings;
  private final Consumer<String> progress;
  private final boolean inPrivate;
  private @Nullable ListenSocket socket;
  private @Nullable WebServer web;
  private @Nullable ListenSocket metricsListener;
  private @Nullable WebServer metricsWeb;
  private @Nullable Readiness readiness;
  private @Nullable LocalPostgres postgres;
  private @Nullable ConnectionPool pool;
  private @Nullable DatabaseProbe probe;
  private @Nullable DatabaseMonitor availability;
  private @Nullable Scheduler scheduler;
  private @Nullable ServerFiles files;
  private final CountDownLatch stopped = new CountDownLatch(1);

  /** Prepare a server that reports to {@code progress} in short lines what takes time. */
  public Server(ServerSettings settings, Consumer<String> progress) {
    this(settings, progress, false);
  }

  /**
   * Prepare a server that reports to {@code progress} in short lines what takes time.
   *
   * @param inPrivate whether only the user who starts the server reads that, so that it may show a
   *     link that signs in once; else it names the file of the admin token
   */
  public Server(ServerSettings settings, Consumer<String> progress, boolean inPrivate) {
    this.settings = settings;
    this.progress = progress;
    this.inPrivate = inPrivate;
  }

  /**
   * Start, and return when requests can be served. A call of close meanwhile waits.
   *
   * @throws StartException if the port, a file or the database cannot be had
   * @throws dev.carillon.postgres.PostgresException if the embedded PostgreSQL cannot start
   * @throws dev.carillon.store.jdbc.StoreException if the schema cannot be brought up to date
   */
  public synchronized void start() {
    if (stopped.getCount() == 0) {
      throw new IllegalStateException("a closed server cannot start; make a new one");
    }
    Logs.use(settings.log());
    try {
      readiness = new Readiness();
      HealthProbes healthProbes = new HealthProbes(readiness::reasonsAgainst);
      var pipeline = new RequestPipeline(new Routes(healthProbes.routes()));
      var metricsPipeline = new RequestPipeline(new Routes(healthProbes.routes()));
      listen(pipeline);
      settings.metrics().ifPresent(place -> listen(place, metricsPipeline));
      DatabaseUrl database = settings.database().orElseGet(this::startPostgres);
      pool =
          new DatabaseWait(settings.databaseWait(), progress, stopped).until(() -> open(database));
      var migrator = new Migrator(pool.connections(), Version.current());
      if (settings.database().isPresent()) {
        migrate(migrator);
      }
      var keys = new SecretKeys(SecretKeys.of(settings), pool.connections());
      keys.prepare();
      availability = watch(database);
      scheduler = Scheduler.start(settings, pool, availability, keys.ring());
      files = ServerFiles.post(settings, localUrl());
      scheduler.open(
          pipeline,
          healthProbes,
          new FirstToken.Announcement(files, localUrl(), progress, inPrivate));
      scheduler.openMetrics(metricsPipeline, healthProbes);
      readiness.use(scheduler.carillon()::standstills, () -> reasonsAgainst(migrator));
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /** Return where this server listens, once started. */
  public synchronized String url() {
    if (socket == null) {
      throw new IllegalStateException("the server has not been started");
    }
    return socket.url(settings.tls().isPresent());
  }

  private String localUrl() {
    return Optional.ofNullable(socket).orElseThrow().localUrl(settings.tls().isPresent());
  }

  /** Return the address of the metrics without sign-in, if there is one, once started. */
  public synchronized Optional<String> metricsUrl() {
    return Optional.ofNullable(metricsListener).map(place -> place.url(false) + "/metrics");
  }

  /** Return in words where the data is; without the password. */
  public String dataPlace() {
    return settings
        .database()
        .map(url -> "database " + url)
        .orElseGet(() -> "embedded PostgreSQL in " + settings.data().toAbsolutePath().normalize());
  }

  /** Return how many runs it works on now. */
  public synchronized int inHand() {
    return scheduler == null ? 0 : scheduler.carillon().activeRuns();
  }

  synchronized Carillon carillon() {
    if (scheduler == null) {
      throw new IllegalStateException("the server has not been started");
    }
    return scheduler.carillon();
  }

  /**
   * Stop: HTTP first, then the scheduler, which waits for what runs, then the pool, then
   * PostgreSQL. Safe to call twice, or before start.
   */
  @Override
  public void close() {
    stopped.countDown(); // which ends the waiting of a start under way
    closeAll();
  }

  private synchronized void closeAll() {
    stop("the file about the server", files);
    Scheduler watched = scheduler;
    stop("the streams of events", watched == null ? null : watched::endStreams);
    stop("HTTP", web);
    stop("the port", socket);
    stop("HTTP for metrics", metricsWeb);
    stop("the port for metrics", metricsListener);
    stop("the readiness check", readiness);
    stop("the scheduler", scheduler);
    stop("the watch over the database", availability);
    stop("the probe of the database", probe);
    stop("the pool", pool);
    stop("PostgreSQL", postgres);
    files = null;
    web = null;
    metricsWeb = null;
    availability = null;
    probe = null;
    readiness = null;
    scheduler = null;
    pool = null;
    postgres = null;
  }

  private void listen(RequestPipeline pipeline) {
    ListenSocket taken = bind();
    socket = taken;
    try {
      web =
          WebServer.start(
              taken.channel(), settings.tls().map(Tls::of), settings.proxies(), pipeline);
    } catch (IllegalArgumentException e) {
      throw new StartException(String.valueOf(e.getMessage()), e);
    }
  }

  private void listen(MetricsSettings place, RequestPipeline pipeline) {
    ListenSocket taken =
        ListenSocket.bind(place.host(), place.port(), Setting.METRICS_HOST, Setting.METRICS_PORT);
    metricsListener = taken;
    metricsWeb = WebServer.start(taken.channel(), Optional.empty(), TrustedProxies.NONE, pipeline);
  }

  private DatabaseMonitor watch(DatabaseUrl database) {
    var asked = new DatabaseProbe(database);
    probe = asked;
    return new DatabaseMonitor(
            database.hosts(),
            () -> embeddedProblem().map(DatabaseMonitor.Trouble::silent).or(asked::trouble))
        .start();
  }

  private Optional<String> embeddedProblem() {
    return Optional.ofNullable(postgres).flatMap(LocalPostgres::problem);
  }

  /* The port may be in use by a server on the same data, which the message then says. */
  private ListenSocket bind() {
    try {
      return ListenSocket.bind(settings.host(), settings.port());
    } catch (StartException e) {
      Optional<String> holder =
          settings.database().isPresent()
              ? Optional.empty()
              : LocalPostgres.holder(settings.data());
      throw holder
          .map(
              who ->
                  new StartException(e.getMessage() + "; the data folder is in use by " + who, e))
          .orElse(e);
    }
  }

  private DatabaseUrl startPostgres() {
    LocalPostgres started = LocalPostgres.start(settings.data(), "carillon serve", progress);
    postgres = started;
    started.announce(url());
    try (var owner = ConnectionPool.open(address(started, started.owner()), 2)) {
      migrate(new Migrator(owner.connections(), Version.current()));
    }
    return address(started, started.application());
  }

  private static DatabaseUrl address(LocalPostgres postgres, LocalPostgres.Login login) {
    return DatabaseUrl.parse(postgres.jdbcUrl())
        .signingIn(Optional.of(login.user()), Optional.of(login.password()));
  }

  /* The connections to an embedded PostgreSQL are opened at once and kept: other users of the
   * machine could have taken the place of a later one. */
  private ConnectionPool open(DatabaseUrl database) {
    return settings.database().isPresent()
        ? ConnectionPool.open(database, settings.poolSize())
        : ConnectionPool.keep(database, settings.poolSize());
  }

  private List<String> reasonsAgainst(Migrator migrator) {
    Optional<String> problem = embeddedProblem();
    if (problem.isPresent()) {
      return List.of(problem.get());
    }
    return Optional.ofNullable(availability)
        .flatMap(DatabaseMonitor::outage)
        .map(outage -> List.of(outage.text()))
        .orElseGet(() -> migrator.problems(CHECK_TIMEOUT));
  }

  private void migrate(Migrator migrator) {
    var applied = new ArrayList<MigrationStep>();
    try {
      report(migrator.migrate(applied::add));
    } catch (RuntimeException | Error e) {
      applied.forEach(this::report);
      throw e;
    }
  }

  private void report(MigrationResult migrationResult) {
    if (!migrationResult.applied().isEmpty()) {
      progress.accept(
          "migrating the schema from %s to %s took %s ms"
              .formatted(
                  migrationResult.from(), migrationResult.to(), migrationResult.took().toMillis()));
      if (migrationResult.from() > 0) { // a new schema has all of them
        migrationResult.steps().forEach(this::report);
      }
    } else {
      LOG.debug("nothing to do, the schema is at {}", migrationResult.to());
    }
    migrationResult.notes().forEach(LOG::warn);
  }

  private void report(MigrationStep step) {
    progress.accept("applied %s in %s ms".formatted(step.name(), step.took().toMillis()));
  }

  /* One part that will not stop must not keep the others running. */
  private static void stop(String name, @Nullable AutoCloseable part) {
    if (part == null) {
      return;
    }
    try {
      part.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      LOG.warn("{} did not stop cleanly: {}", name, OneLineMessage.of(e));
    }
  }
}
