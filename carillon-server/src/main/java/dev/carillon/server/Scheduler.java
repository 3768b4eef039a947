package dev.carillon.server;

import dev.carillon.Carillon;
import dev.carillon.server.api.Api;
import dev.carillon.server.api.TargetKind;
import dev.carillon.server.signin.ApiTokens;
import dev.carillon.server.signin.Bearer;
import dev.carillon.server.signin.Jwts;
import dev.carillon.server.signin.SetToken;
import dev.carillon.server.signin.SignIn;
import dev.carillon.server.signin.Tls;
import dev.carillon.server.signin.TokensWithoutDatabase;
import dev.carillon.server.watch.DatabaseWatch;
import dev.carillon.server.watch.Figures;
import dev.carillon.server.watch.Watch;
import dev.carillon.server.web.Caller;
import dev.carillon.server.web.Desk;
import dev.carillon.server.web.Health;
import dev.carillon.server.web.Repeats;
import dev.carillon.server.web.Routes;
import dev.carillon.server.web.Turns;
import dev.carillon.store.Database;
import dev.carillon.store.IdempotencyStore;
import dev.carillon.store.NodeStore;
import dev.carillon.store.TargetStore;
import dev.carillon.store.TokenStore;
import dev.carillon.store.WorkflowStore;
import dev.carillon.targets.AddressGuard;
import dev.carillon.targets.HttpSender;
import dev.carillon.targets.LogTarget;
import dev.carillon.targets.NoopTarget;
import io.prometheus.metrics.instrumentation.jvm.JvmMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The scheduler of a server, with its targets and with those who may use it. */
final class Scheduler implements AutoCloseable {
  private static final int OWN_CONNECTIONS = 8;
  private static final int LEAST_TURNS = 2;

  private final ServerSettings settings;
  private final Database database;
  private final Carillon carillon;
  private final HttpSender sender;
  private final Map<String, TargetKind> kinds;
  private final BuiltInTargets builtIn;
  private final TargetSync targets;
  private final DatabaseWatch availability;
  private final Watch watch;

  private Scheduler(
      ServerSettings settings,
      Pool pool,
      Carillon carillon,
      HttpSender sender,
      DatabaseWatch availability,
      Figures figures) {
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
            new TargetStore(database),
            carillon.targets(),
            kinds,
            builtIn,
            () -> nodes.offered(carillon.clock().instant()));
    this.availability = availability;
    this.watch = new Watch(carillon, database, availability, figures);
  }

  /**
   * Start the scheduler on {@code pool}, once its targets are known.
   *
   * @throws StartException if a setting cannot be used
   */
  static Scheduler start(ServerSettings settings, Pool pool, DatabaseWatch availability) {
    var registry = new PrometheusRegistry();
    JvmMetrics.builder().register(registry);
    pool.measure(registry);
    var figures = new Figures(registry);
    var builder =
        Carillon.builder()
            .listener(figures)
            .dataSource(pool.connections())
            .migrate(false)
            .asynchronous("log", new LogTarget())
            .asynchronous("noop", new NoopTarget());
    try {
      Carillon carillon = settings.scheduler().applyTo(builder).build();
      HttpSender sender = HttpSender.start(AddressGuard.allowing(settings.allowedHosts()));
      return new Scheduler(settings, pool, carillon, sender, availability, figures).started();
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

  /** Answer everything at {@code desk}, and see to it that somebody can sign in. */
  void open(Desk desk, Health health, FirstToken.Telling telling) {
    var tokens = new TokenStore(database);
    var turns = new Turns(Math.max(LEAST_TURNS, settings.poolSize() - OWN_CONNECTIONS));
    var known = new ApiTokens(tokens, carillon.clock());
    var others = new ArrayList<Bearer>();
    settings.signIn().adminToken().map(SetToken::new).ifPresent(others::add);
    try {
      settings.signIn().jwt().map(jwt -> new Jwts(jwt, carillon.clock())).ifPresent(others::add);
    } catch (IllegalArgumentException e) {
      throw new StartException(String.valueOf(e.getMessage()), e);
    }
    Bearer asked = token -> turns.take(() -> known.caller(token));
    if (settings.signIn().adminToken().isEmpty()) {
      new FirstToken(tokens, telling, carillon.clock()).make(settings.database().isEmpty());
    }
    desk.open(
        new Routes(
            Api.routes(
                health,
                carillon,
                database,
                settings.scheduler().defaults(),
                kinds,
                targets,
                watch.routes())),
        new SignIn(
                and(others, asked),
                Tls.certificates(settings.tls()),
                settings.signIn().failures(),
                carillon.clock())
            .withoutDatabase(and(others, new TokensWithoutDatabase(asked, known, availability))),
        new Repeats(new IdempotencyStore(database), carillon.clock()),
        turns);
  }

  private static List<Bearer> and(List<Bearer> some, Bearer last) {
    return Stream.concat(some.stream(), Stream.of(last)).toList();
  }

  /** Tell figures to everybody who asks {@code desk}. */
  void openMetrics(Desk desk, Health health) {
    desk.open(
        new Routes(Stream.concat(health.routes().stream(), watch.openRoutes().stream()).toList()),
        request -> Caller.NOBODY,
        (request, work) -> work.get(),
        Turns.UNLIMITED);
  }

  /** End all streams of events, which would go on for ever. */
  void endStreams() {
    watch.close();
  }

  /** Wait for what runs, and stop. */
  @Override
  public void close() {
    try (sender;
        builtIn;
        targets;
        watch) {
      carillon.close();
    }
  }
}
