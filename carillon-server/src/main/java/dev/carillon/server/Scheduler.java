package dev.carillon.server;

import dev.carillon.Carillon;
import dev.carillon.console.ConsoleFiles;
import dev.carillon.server.api.Api;
import dev.carillon.server.api.ConsoleRoutes;
import dev.carillon.server.api.ProofRoutes;
import dev.carillon.server.api.SessionRoutes;
import dev.carillon.server.api.SignInLinkRoutes;
import dev.carillon.server.api.TargetKind;
import dev.carillon.server.secret.KeyRing;
import dev.carillon.server.signin.ApiTokens;
import dev.carillon.server.signin.BearerToken;
import dev.carillon.server.signin.CachedApiTokens;
import dev.carillon.server.signin.ConfiguredToken;
import dev.carillon.server.signin.ConsoleSessions;
import dev.carillon.server.signin.JwtSignIn;
import dev.carillon.server.signin.LimitedApiTokens;
import dev.carillon.server.signin.SessionSignIn;
import dev.carillon.server.signin.SignIn;
import dev.carillon.server.signin.SignInLinks;
import dev.carillon.server.signin.Tls;
import dev.carillon.server.store.ConsoleSessionStore;
import dev.carillon.server.store.IdempotencyStore;
import dev.carillon.server.store.SignInLinkStore;
import dev.carillon.server.store.TargetStore;
import dev.carillon.server.store.TokenHashes;
import dev.carillon.server.store.TokenStore;
import dev.carillon.server.watch.DatabaseMonitor;
import dev.carillon.server.watch.Monitoring;
import dev.carillon.server.watch.NodeMetrics;
import dev.carillon.server.web.Caller;
import dev.carillon.server.web.ConcurrencyLimit;
import dev.carillon.server.web.HealthProbes;
import dev.carillon.server.web.IdempotentReplies;
import dev.carillon.server.web.RequestPipeline;
import dev.carillon.server.web.Routes;
import dev.carillon.store.cluster.NodeStore;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.workflow.WorkflowStore;
import dev.carillon.targets.LogTarget;
import dev.carillon.targets.NoopTarget;
import dev.carillon.targets.guard.AddressGuard;
import dev.carillon.targets.http.HttpSender;
import io.prometheus.metrics.instrumentation.jvm.JvmMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The scheduler of a server, with its targets and its callers. */
final class Scheduler implements AutoCloseable {
  private static final int OWN_CONNECTIONS = 8;
  private static final int MIN_CONCURRENT = 2;

  private final ServerSettings settings;
  private final Database database;
  private final Carillon carillon;
  private final HttpSender sender;
  private final Map<String, TargetKind> kinds;
  private final BuiltInTargets builtIn;
  private final TargetSync targets;
  private final DatabaseMonitor availability;
  private final Monitoring monitoring;

  private Scheduler(
      ServerSettings settings,
      ConnectionPool pool,
      Carillon carillon,
      HttpSender sender,
      DatabaseMonitor availability,
      NodeMetrics nodeMetrics,
      KeyRing keys) {
    this.settings = settings;
    this.database = new Database(pool.connections());
    this.carillon = carillon;
    this.sender = sender;
    var workflows = new WorkflowStore(database);
    this.kinds = TargetKinds.all(sender, carillon, workflows);
    this.builtIn =
        new BuiltInTargets(settings.executor(), settings.allowedHosts(), carillon, workflows);
    var nodes = new NodeStore(database);
    this.targets =
        new TargetSync(
            new TargetStore(database, keys),
            carillon.targets(),
            kinds,
            builtIn,
            () -> nodes.offered(carillon.clock().instant()));
    this.availability = availability;
    this.monitoring =
        new Monitoring(carillon, database, availability, nodeMetrics, targets::problems);
  }

  /**
   * Start the scheduler on {@code pool}, once its targets are known.
   *
   * @param keys seal the settings of targets
   * @throws StartException if a setting cannot be used
   */
  static Scheduler start(
      ServerSettings settings, ConnectionPool pool, DatabaseMonitor availability, KeyRing keys) {
    var registry = new PrometheusRegistry();
    JvmMetrics.builder().register(registry);
    pool.measure(registry);
    var nodeMetrics = new NodeMetrics(registry);
    var builder =
        Carillon.builder()
            .listener(nodeMetrics)
            .dataSource(pool.connections())
            .migrate(false)
            .asyncTarget("log", new LogTarget())
            .asyncTarget("noop", new NoopTarget());
    try {
      Carillon carillon = settings.scheduler().applyTo(builder).build();
      HttpSender sender = HttpSender.start(AddressGuard.allowing(settings.allowedHosts()));
      return new Scheduler(settings, pool, carillon, sender, availability, nodeMetrics, keys)
          .started();
    } catch (IllegalArgumentException e) {
      throw new StartException(String.valueOf(e.getMessage()), e);
    }
  }

  private Scheduler started() {
    try {
      targets.start();
      carillon.start();
      return this;
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  Carillon carillon() {
    return carillon;
  }

  /** Answer everything at {@code pipeline}, and make a first token if there is none. */
  void open(
      RequestPipeline pipeline, HealthProbes healthProbes, FirstToken.Announcement announcement) {
    var tokens = new TokenStore(database);
    var limit =
        new ConcurrencyLimit(Math.max(MIN_CONCURRENT, settings.poolSize() - OWN_CONNECTIONS));
    var known = new ApiTokens(tokens, new TokenHashes(database), carillon.clock());
    var others = new ArrayList<BearerToken>();
    settings.signIn().adminToken().map(ConfiguredToken::new).ifPresent(others::add);
    try {
      settings
          .signIn()
          .jwt()
          .map(jwt -> new JwtSignIn(jwt, carillon.clock()))
          .ifPresent(others::add);
    } catch (IllegalArgumentException e) {
      throw new StartException(String.valueOf(e.getMessage()), e);
    }
    var asked = new LimitedApiTokens(known, limit);
    var links =
        new SignInLinks(
            new SignInLinkStore(database), tokens, carillon.clock(), settings.signIn().failures());
    if (settings.signIn().adminToken().isEmpty()) {
      new FirstToken(tokens, links, announcement, carillon.clock())
          .make(settings.database().isEmpty());
    }
    var bearers =
        new SignIn(
            and(others, asked),
            and(others, new CachedApiTokens(asked, known, availability)),
            Tls.certificates(settings.tls()),
            settings.signIn().failures(),
            carillon.clock());
    var sessions =
        new ConsoleSessions(
            new ConsoleSessionStore(database), settings.signIn().adminToken(), carillon.clock());
    pipeline.open(
        new Routes(
            Api.routes(
                healthProbes,
                carillon,
                database,
                settings.scheduler().defaults(),
                kinds,
                targets,
                Stream.of(
                        new ProofRoutes(announcement.files().proof()).routes(),
                        new SignInLinkRoutes(links).routes(),
                        new SessionRoutes(sessions, bearers, links).routes(),
                        new ConsoleRoutes(ConsoleFiles.load()).routes(),
                        monitoring.routes())
                    .flatMap(List::stream)
                    .toList())),
        new SessionSignIn(sessions, bearers, limit, settings.signIn().failures(), carillon.clock()),
        new IdempotentReplies(
            new IdempotencyStore(), carillon::inTransaction, carillon.clock(), carillon.lease()),
        limit);
  }

  private static List<BearerToken> and(List<BearerToken> some, BearerToken last) {
    return Stream.concat(some.stream(), Stream.of(last)).toList();
  }

  /** Answer with metrics at {@code pipeline}, without sign-in. */
  void openMetrics(RequestPipeline pipeline, HealthProbes healthProbes) {
    pipeline.open(
        new Routes(
            Stream.concat(healthProbes.routes().stream(), monitoring.openRoutes().stream())
                .toList()),
        request -> Caller.NOBODY,
        (request, route, work) -> work.apply(request),
        ConcurrencyLimit.UNLIMITED);
  }

  /** End all streams of events, which would go on for ever. */
  void endStreams() {
    monitoring.close();
  }

  /** Wait for what runs, and stop. */
  @Override
  public void close() {
    try (sender;
        builtIn;
        targets;
        monitoring) {
      carillon.close();
    }
  }
}
