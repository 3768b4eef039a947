package dev.carillon.server.web;

import dev.carillon.json.Json;
import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.javalin.http.HttpResponseException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.server.handler.SizeLimitHandler;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HTTP: hands requests to a desk and writes its replies; everything a client can use is bounded.
 */
public final class Web implements AutoCloseable {
  /** The largest body accepted. */
  static final int BODY_BYTES = 1024 * 1024;

  private static final Logger LOG = LoggerFactory.getLogger(Web.class);
  private static final int THREADS = 32;
  private static final int CONNECTIONS = 1024;
  private static final int HEADER_BYTES = 8 * 1024;
  private static final Duration IDLE = Duration.ofSeconds(30);
  private static final Duration IDLE_WHILE_CROWDED = Duration.ofSeconds(1);
  private static final Duration IDLE_WHILE_STOPPING = Duration.ofMillis(100);
  private static final Duration FINISHING = Duration.ofSeconds(5);
  private static final List<String> METHODS =
      List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE");

  private final Javalin javalin;
  private final Pending pending;

  private Web(Javalin javalin, Pending pending) {
    this.javalin = javalin;
    this.pending = pending;
  }

  /**
   * Let {@code desk} answer on {@code channel}, which is closed with what this returns.
   *
   * @param tls how connections are secured; empty for plain HTTP
   */
  public static Web start(
      ServerSocketChannel channel, Optional<SslContextFactory.Server> tls, Desk desk) {
    return start(channel, tls, TrustedProxies.NONE, desk);
  }

  /**
   * Let {@code desk} answer on {@code channel}, which is closed with what this returns.
   *
   * @param tls how connections are secured; empty for plain HTTP
   * @param proxies who may say where a request came from
   */
  public static Web start(
      ServerSocketChannel channel,
      Optional<SslContextFactory.Server> tls,
      TrustedProxies proxies,
      Desk desk) {
    var pending = new Pending();
    Javalin javalin =
        Javalin.create(
            config -> {
              quieten(config);
              bound(config, channel, tls);
              for (String method : METHODS) {
                config.routes.addHttpHandler(
                    HandlerType.findOrCreate(method),
                    "*",
                    context -> answer(context, proxies, desk, pending));
              }
              tellProblems(config);
            });
    javalin.start();
    return new Web(javalin, pending);
  }

  /** Let requests under way finish, those that wait at once, refuse new ones, and stop. */
  @Override
  public void close() {
    pending.hurry();
    javalin.stop();
  }

  private static void quieten(JavalinConfig config) {
    config.startup.showJavalinBanner = false;
    config.startup.showOldJavalinVersionWarning = false;
    config.startup.startupWatcherEnabled = false;
  }

  private static void bound(
      JavalinConfig config, ServerSocketChannel channel, Optional<SslContextFactory.Server> tls) {
    config.http.maxRequestSize = (long) BODY_BYTES;
    // What can wait for a thread is bounded by the number of connections.
    var threads = new QueuedThreadPool(THREADS, 4, Math.toIntExact(IDLE.toMillis()));
    threads.setName("carillon-http");
    config.jetty.threadPool = threads;
    config.jetty.modifyHttpConfiguration(
        http -> {
          http.setSendServerVersion(false);
          http.setRequestHeaderSize(HEADER_BYTES);
          http.setIdleTimeout(IDLE.toMillis());
          // A key may hold a slash or a dot; the route table decodes each segment by itself.
          http.setUriCompliance(UriCompliance.UNSAFE);
        });
    config.jetty.modifyServer(
        server -> {
          server.setStopTimeout(FINISHING.toMillis());
          server.setErrorHandler(new ProblemPages());
          var sized = new SizeLimitHandler(BODY_BYTES, -1);
          sized.setHandler(new Presence());
          server.setHandler(new GracefulHandler(sized));
        });
    config.jetty.modifyServletContextHandler(
        context -> {
          context.setErrorHandler(new ProblemPages());
          context.getServletHandler().setDecodeAmbiguousURIs(true);
        });
    config.jetty.addConnector((server, http) -> connector(server, http, channel, tls));
  }

  private static Connector connector(
      Server server,
      HttpConfiguration http,
      ServerSocketChannel channel,
      Optional<SslContextFactory.Server> tls) {
    // Which host the client names is not looked at: there is one site.
    tls.ifPresent(any -> http.addCustomizer(new SecureRequestCustomizer(false)));
    var plain = new HttpConnectionFactory(http);
    var connector =
        tls.map(
                secure ->
                    new ServerConnector(
                        server, 1, 1, new SslConnectionFactory(secure, "http/1.1"), plain))
            .orElseGet(() -> new ServerConnector(server, 1, 1, plain));
    connector.setIdleTimeout(IDLE.toMillis());
    connector.setShutdownIdleTimeout(IDLE_WHILE_STOPPING.toMillis());
    var limit = new NetworkConnectionLimit(CONNECTIONS, connector);
    limit.setEndPointIdleTimeout(IDLE_WHILE_CROWDED.toMillis());
    connector.addBean(limit);
    try {
      connector.open(channel);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return connector;
  }

  private static void answer(Context context, TrustedProxies proxies, Desk desk, Pending pending) {
    Reply reply = desk.answer(request(context, proxies), () -> body(context.req()));
    if (reply.content() instanceof Reply.Later later) {
      context.future(() -> later.reply().thenAccept(known -> write(context, known)));
      pending.add(later);
    } else {
      write(context, reply);
    }
  }

  private static Request request(Context context, TrustedProxies proxies) {
    HttpServletRequest raw = context.req();
    Request request =
        Request.of(raw.getMethod(), raw.getRequestURI())
            .query(Optional.ofNullable(raw.getQueryString()).orElse(""))
            .present(Presence.of(raw));
    for (String name : Collections.list(raw.getHeaderNames())) {
      request = request.header(name, String.join(",", Collections.list(raw.getHeaders(name))));
    }
    request =
        request.from(
            proxies.client(
                raw.getRemoteAddr(),
                request.header("X-Forwarded-For"),
                request.header("Forwarded")));
    return raw.getAttribute("jakarta.servlet.request.X509Certificate")
                instanceof X509Certificate[] chain
            && chain.length > 0
        ? request.certificate(chain[0])
        : request;
  }

  private static byte[] body(HttpServletRequest raw) {
    try {
      byte[] body = raw.getInputStream().readNBytes(BODY_BYTES + 1);
      if (body.length > BODY_BYTES) {
        throw ProblemPages.tooLarge().refusal();
      }
      return body;
    } catch (Refusal e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw unreadable(e).refusal();
    }
  }

  /* Jetty refuses what is too large or wrongly encoded while it is read. */
  private static Problem unreadable(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof HttpException refusal) {
        return ProblemPages.problem(refusal.getCode());
      }
    }
    return Problem.of(ProblemKind.MALFORMED_REQUEST, "The request's body ended early.");
  }

  private static void tellProblems(JavalinConfig config) {
    config.routes.exception(
        HttpResponseException.class,
        (refusal, context) ->
            write(context, ProblemPages.problem(refusal.getStatus()).reply(context.path())));
    config.routes.exception(
        Exception.class,
        (failure, context) -> {
          LOG.error("{} failed", context.method(), failure);
          write(context, ProblemPages.problem(500).reply(context.path()));
        });
  }

  private static void write(Context context, Reply reply) {
    context.header("X-Content-Type-Options", "nosniff");
    context.header("Cache-Control", "no-store");
    reply.headers().forEach(context::header);
    context.status(reply.status());
    if (!reply.contentType().isEmpty()) {
      context.contentType(reply.contentType());
    }
    if (reply.content() instanceof Reply.Value json) {
      write(context, Json.write(json.value()));
    } else if (reply.content() instanceof Reply.Text text) {
      write(context, text.text());
    } else if (reply.content() instanceof Reply.Stream stream) {
      write(context, stream);
    } else if (reply.content() instanceof Reply.Live live
        && !context.req().getMethod().equals("HEAD")) {
      context.future(() -> begin(context, live));
    }
  }

  /* As bytes: a media type without a charset would have the container write ISO 8859-1. */
  private static void write(Context context, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    context.result(bytes);
    if (context.header("Accept-Encoding") == null) { // else it may be compressed on its way
      context.res().setContentLength(bytes.length);
    }
  }

  private static CompletableFuture<Boolean> begin(Context context, Reply.Live live) {
    try {
      AsyncOutlet outlet = AsyncOutlet.on(context.req().getAsyncContext());
      live.beginning().accept(outlet);
      return outlet.over();
    } catch (IOException e) {
      LOG.debug("a client went away: {}", e.getMessage());
      return CompletableFuture.completedFuture(true);
    }
  }

  /* A client that goes away while it is written to has no need to be told. */
  private static void write(Context context, Reply.Stream stream) {
    try {
      stream.writing().to(context.outputStream());
    } catch (IOException e) {
      LOG.debug("a client went away: {}", e.getMessage());
    }
  }
}
