package dev.carillon.server;

import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.javalin.http.HttpResponseException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.server.handler.SizeLimitHandler;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HTTP: hands requests to routes and writes their replies; everything a client can use is bounded.
 */
final class Web implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Web.class);
  private static final int THREADS = 32;
  private static final int CONNECTIONS = 1024;
  private static final int HEADER_BYTES = 8 * 1024;
  private static final long BODY_BYTES = 1024 * 1024;
  private static final Duration IDLE = Duration.ofSeconds(30);
  private static final Duration IDLE_WHILE_STOPPING = Duration.ofMillis(100);
  private static final Duration FINISHING = Duration.ofSeconds(5);

  private final Javalin javalin;

  private Web(Javalin javalin) {
    this.javalin = javalin;
  }

  /** Serve {@code routes} on {@code listener}, which is closed with what this returns. */
  static Web start(Listener listener, List<Route> routes) {
    Javalin javalin =
        Javalin.create(
            config -> {
              quieten(config);
              bound(config, listener);
              routes.forEach(route -> add(config, route));
              tellProblems(config);
            });
    javalin.start();
    return new Web(javalin);
  }

  /** Let requests under way finish, refuse new ones, and stop. */
  @Override
  public void close() {
    javalin.stop();
  }

  private static void quieten(JavalinConfig config) {
    config.startup.showJavalinBanner = false;
    config.startup.showOldJavalinVersionWarning = false;
    config.startup.startupWatcherEnabled = false;
  }

  private static void bound(JavalinConfig config, Listener listener) {
    config.http.maxRequestSize = BODY_BYTES;
    config.http.prefer405over404 = true;
    // What can wait for a thread is bounded by the number of connections.
    var threads = new QueuedThreadPool(THREADS, 4, Math.toIntExact(IDLE.toMillis()));
    threads.setName("carillon-http");
    config.jetty.threadPool = threads;
    config.jetty.modifyHttpConfiguration(
        http -> {
          http.setSendServerVersion(false);
          http.setRequestHeaderSize(HEADER_BYTES);
          http.setIdleTimeout(IDLE.toMillis());
        });
    config.jetty.modifyServer(
        server -> {
          server.setStopTimeout(FINISHING.toMillis());
          server.setErrorHandler(new ProblemPages());
          server.setHandler(new GracefulHandler(new SizeLimitHandler(BODY_BYTES, -1)));
        });
    config.jetty.modifyServletContextHandler(
        context -> context.setErrorHandler(new ProblemPages()));
    config.jetty.addConnector((server, http) -> connector(server, http, listener));
  }

  private static Connector connector(Server server, HttpConfiguration http, Listener listener) {
    var connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
    connector.setIdleTimeout(IDLE.toMillis());
    connector.setShutdownIdleTimeout(IDLE_WHILE_STOPPING.toMillis());
    connector.addBean(new NetworkConnectionLimit(CONNECTIONS, connector));
    try {
      connector.open(listener.channel());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return connector;
  }

  private static void add(JavalinConfig config, Route route) {
    config.routes.addHttpHandler(
        HandlerType.findOrCreate(route.method()), route.path(), context -> answer(context, route));
    if (route.method().equals("GET")) {
      config.routes.head(route.path(), context -> answer(context, route));
    }
  }

  private static void answer(Context context, Route route) {
    write(context, route.handler().apply(new Request(context.method().name(), context.path())));
  }

  private static void tellProblems(JavalinConfig config) {
    config.routes.exception(
        HttpResponseException.class,
        (refusal, context) -> {
          String allowed = refusal.getDetails().get("availableMethods");
          if (allowed != null) {
            context.header("Allow", allowed);
          }
          write(context, ProblemPages.problem(refusal.getStatus(), context.path()).reply());
        });
    config.routes.exception(
        Exception.class,
        (failure, context) -> {
          LOG.error("{} {} failed", context.method(), context.path(), failure);
          write(context, ProblemPages.problem(500, context.path()).reply());
        });
  }

  private static void write(Context context, Reply reply) {
    context.header("X-Content-Type-Options", "nosniff");
    context.header("Cache-Control", "no-store");
    context
        .status(reply.status())
        .contentType(reply.contentType())
        .result(Json.write(reply.body()));
  }
}
