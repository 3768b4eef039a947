package dev.carillon.server;

import dev.carillon.console.ConsoleFiles;
import dev.carillon.model.ChangedBy;
import dev.carillon.server.api.Api;
import dev.carillon.server.api.ConsoleRoutes;
import dev.carillon.server.api.Defaults;
import dev.carillon.server.api.ProofRoutes;
import dev.carillon.server.api.SessionRoutes;
import dev.carillon.server.api.SignInLinkRoutes;
import dev.carillon.server.api.TargetKind;
import dev.carillon.server.secret.CipherKey;
import dev.carillon.server.secret.KeyRing;
import dev.carillon.server.signin.ApiTokenSecret;
import dev.carillon.server.signin.ApiTokens;
import dev.carillon.server.signin.BearerToken;
import dev.carillon.server.signin.ClientCertificates;
import dev.carillon.server.signin.ConsoleSessions;
import dev.carillon.server.signin.ServerProof;
import dev.carillon.server.signin.SessionSignIn;
import dev.carillon.server.signin.SignIn;
import dev.carillon.server.signin.SignInLinks;
import dev.carillon.server.store.ConsoleSessionStore;
import dev.carillon.server.store.IdempotencyStore;
import dev.carillon.server.store.SignInLinkStore;
import dev.carillon.server.store.TargetStore;
import dev.carillon.server.store.TokenHashes;
import dev.carillon.server.store.TokenStore;
import dev.carillon.server.watch.DatabaseMonitor;
import dev.carillon.server.watch.Monitoring;
import dev.carillon.server.watch.NodeMetrics;
import dev.carillon.server.web.ConcurrencyLimit;
import dev.carillon.server.web.HealthProbes;
import dev.carillon.server.web.IdempotentReplies;
import dev.carillon.server.web.Reply;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.RequestPipeline;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import dev.carillon.server.web.Routes;
import dev.carillon.store.cluster.NodeStore;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.workflow.WorkflowStore;
import dev.carillon.targets.guard.AddressGuard;
import dev.carillon.targets.http.HttpSender;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.testing.TestClock;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * A server without sockets and threads, on a real database, whose time is moved by hand. Every
 * answer is held against the OpenAPI document.
 */
final class Site implements AutoCloseable {
  static final String ROOT = "/api/v1";

  final TestClock clock = TestClock.at("2026-01-01T00:00:00Z");
  final ManualCarillon carillon;
  final List<Route> routes;
  final Contract contract;
  final TokenStore tokens;
  final TargetSync targets;
  private final BuiltInTargets builtIn;
  final PrometheusRegistry registry = new PrometheusRegistry();
  private final NodeMetrics nodeMetrics = new NodeMetrics(registry);
  private final Monitoring monitoring;
  private final HttpSender sender = HttpSender.start(AddressGuard.strict());
  private final RequestPipeline pipeline = new RequestPipeline(new Routes(List.of()));
  private final Map<Role, String> tokenOf = new EnumMap<>(Role.class);

  Site(DataSource source, BearerToken... others) {
    this(source, KeyRing.of(CipherKey.generate()), Duration.ofSeconds(15), others);
  }

  Site(DataSource source, KeyRing keys, BearerToken... others) {
    this(source, keys, Duration.ofSeconds(15), others);
  }

  /** Open a site whose node is trusted for {@code lease} without a sign of life. */
  Site(DataSource source, Duration lease, BearerToken... others) {
    this(source, KeyRing.of(CipherKey.generate()), lease, others);
  }

  private Site(DataSource source, KeyRing keys, Duration lease, BearerToken... others) {
    carillon =
        ManualCarillon.on(source)
            .clock(clock)
            .with(
                builder -> builder.listener(nodeMetrics).heartbeat(lease.dividedBy(3)).lease(lease))
            .target("noop", context -> {})
            .target("log", context -> {})
            .target(
                "fail",
                context -> {
                  throw new IllegalStateException("broken on purpose");
                })
            .start();
    var database = new Database(source);
    tokens = new TokenStore(database);
    var links = new SignInLinks(new SignInLinkStore(database), tokens, clock, 1_000_000);
    Map<String, TargetKind> kinds =
        TargetKinds.all(sender, carillon.carillon(), new WorkflowStore(database));
    builtIn =
        new BuiltInTargets(
            Optional.empty(), List.of(), carillon.carillon(), new WorkflowStore(database));
    targets =
        new TargetSync(
            new TargetStore(database, keys),
            carillon.carillon().targets(),
            kinds,
            builtIn,
            () -> new NodeStore(database).offered(clock.instant()));
    monitoring =
        new Monitoring(
            carillon.carillon(),
            database,
            new DatabaseMonitor("here", Optional::empty),
            nodeMetrics,
            targets::problems);
    var bearers =
        new ArrayList<BearerToken>(
            List.of(new ApiTokens(tokens, new TokenHashes(database), clock)));
    bearers.addAll(List.of(others));
    var signIn = new SignIn(bearers, bearers, ClientCertificates.NONE, 1_000_000, clock);
    var sessions =
        new ConsoleSessions(
            new ConsoleSessionStore(database), Optional.of(ConsoleSessionApiTest.SET), clock);
    routes =
        Api.routes(
            new HealthProbes(List::of),
            carillon.carillon(),
            database,
            Defaults.BUILT_IN,
            kinds,
            targets,
            Stream.of(
                    new ProofRoutes(new ServerProof("secret of a test", "http://127.0.0.1:8080"))
                        .routes(),
                    new SignInLinkRoutes(links).routes(),
                    new SessionRoutes(sessions, signIn, links).routes(),
                    new ConsoleRoutes(ConsoleFiles.load()).routes(),
                    monitoring.routes())
                .flatMap(List::stream)
                .toList());
    pipeline.open(
        new Routes(routes),
        new SessionSignIn(sessions, signIn, new ConcurrencyLimit(4), 1_000_000, clock),
        new IdempotentReplies(
            new IdempotencyStore(),
            carillon.carillon()::inTransaction,
            clock,
            carillon.carillon().lease()),
        new ConcurrencyLimit(4));
    for (Role role : List.of(Role.VIEWER, Role.OPERATOR, Role.EDITOR, Role.ADMIN)) {
      tokenOf.put(role, token(role.word(), role));
    }
    contract =
        new Contract(
            Answer.of(pipeline.answer(as(Role.VIEWER, Request.of("GET", "/openapi.json")))).json());
  }

  /** Make a token. */
  String token(String name, Role role) {
    String token = ApiTokenSecret.generate();
    tokens.create(
        name,
        ApiTokenSecret.hash(token),
        List.of(role.word()),
        Optional.empty(),
        new ChangedBy(clock.instant(), "test"));
    return token;
  }

  String token(Role role) {
    return tokenOf.getOrDefault(role, "");
  }

  /** Return {@code request} as sent by a caller with {@code role}. */
  Request as(Role role, Request request) {
    return request.header("Authorization", "Bearer " + token(role)).from("192.0.2.1");
  }

  /** Send a request as it is. */
  Answer send(Request request) {
    return checked(request, known(pipeline.answer(request)));
  }

  /** Send a request whose answer may be known later. */
  CompletableFuture<Answer> sendAndWait(Request request) {
    Reply reply = pipeline.answer(request);
    return reply.content() instanceof Reply.Later later
        ? later.reply().thenApply(known -> checked(request, known))
        : CompletableFuture.completedFuture(checked(request, reply));
  }

  /* Nothing happens here while a worker waits. */
  private static Reply known(Reply reply) {
    if (reply.content() instanceof Reply.Later later) {
      later.replyNow().run();
      return later.reply().join();
    }
    return reply;
  }

  private Answer checked(Request request, Reply reply) {
    Answer answer = Answer.of(reply);
    contract.check(request.method(), request.path(), answer);
    return answer;
  }

  /** Send a request to a path below the root of the contract, as an administrator. */
  Answer send(String method, String pathAndQuery, String body) {
    return send(request(method, pathAndQuery, body));
  }

  /** Send a request to a path as it stands, as an administrator. */
  Answer sendTo(String method, String pathAndQuery, String body) {
    return send(requestTo(method, pathAndQuery, body));
  }

  Request request(String method, String pathAndQuery, String body) {
    return requestTo(method, ROOT + pathAndQuery, body);
  }

  Request requestTo(String method, String pathAndQuery, String body) {
    int query = pathAndQuery.indexOf('?');
    String path = query < 0 ? pathAndQuery : pathAndQuery.substring(0, query);
    Request request = as(Role.ADMIN, Request.of(method, path));
    request = query < 0 ? request : request.query(pathAndQuery.substring(query + 1));
    return body.isEmpty() ? request : request.body(body);
  }

  Answer get(String path) {
    return send("GET", path, "");
  }

  Answer put(String path, String body) {
    return send("PUT", path, body);
  }

  Answer post(String path, String body) {
    return send("POST", path, body);
  }

  Answer patch(String path, String body) {
    return send("PATCH", path, body);
  }

  Answer delete(String path) {
    return send("DELETE", path, "");
  }

  @Override
  public void close() {
    monitoring.close();
    carillon.close();
    targets.close();
    builtIn.close();
    sender.close();
  }
}
