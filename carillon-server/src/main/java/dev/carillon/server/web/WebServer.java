package dev.carillon.server.web;

import dev.carillon.server.log.JettyWarnings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.server.handler.SizeLimitHandler;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * HTTP: hands requests to the pipeline and writes its replies; everything a client can use is
 * bounded.
 */
public final class WebServer implements AutoCloseable {
  static final int MAX_BODY_BYTES = 1024 * 1024;

  static final int CONNECTIONS = 1024;
  static final int RESERVED_CONNECTIONS = 64;
  static final int BODIES = 256;
  static final int BODY_BYTES = 32 * 1024 * 1024;
  static final Duration IDLE = Duration.ofSeconds(30);
  static final Duration BODY_GRACE = Duration.ofSeconds(5);
  static final Duration BODY_DEADLINE = Duration.ofSeconds(60);
  static final Duration REPLY_DEADLINE = Duration.ofMinutes(1);

  static final int THREADS = 32;
  private static final int NETWORK_THREADS = 16;
  private static final int HEALTH_THREADS = 2;
  private static final int HEADER_BYTES = 8 * 1024;
  private static final Duration LOOK_FOR_SLOW = Duration.ofMillis(200);
  private static final Duration IDLE_WHILE_STOPPING = Duration.ofMillis(100);
  private static final Duration FINISHING = Duration.ofSeconds(5);

  private final Server server;
  private final PendingReplies pending;
  private final List<ExecutorService> threads;

  private WebServer(Server server, PendingReplies pending, List<ExecutorService> threads) {
    this.server = server;
    this.pending = pending;
    this.threads = threads;
  }

  /**
   * Let {@code pipeline} answer on {@code channel}, which is closed with what this returns.
   *
   * @param tls how connections are secured; empty for plain HTTP
   * @param proxies who may say where a request came from
   */
  public static WebServer start(
      ServerSocketChannel channel,
      Optional<SslContextFactory.Server> tls,
      TrustedProxies proxies,
      RequestPipeline pipeline) {
    return start(channel, tls, proxies, pipeline, HttpLimits.DEFAULT);
  }

  static WebServer start(
      ServerSocketChannel channel,
      Optional<SslContextFactory.Server> tls,
      TrustedProxies proxies,
      RequestPipeline pipeline,
      HttpLimits limits) {
    JettyWarnings.install();
    // These never wait for a client or the database: a few serve all connections.
    var network = new QueuedThreadPool(NETWORK_THREADS, 4, Math.toIntExact(IDLE.toMillis()));
    network.setName("carillon-network");
    var server = new Server(network);
    server.setStopTimeout(FINISHING.toMillis());
    server.setErrorHandler(new JettyErrorHandler());
    var pending = new PendingReplies();
    var bodies = new PendingBodies(limits);
    var connections = new Connections(limits, pending);
    ExecutorService workers = threads(THREADS, "carillon-http");
    ExecutorService reserve = threads(HEALTH_THREADS, "carillon-health");
    var slow = Executors.newSingleThreadScheduledExecutor(DaemonThreads.called("carillon-slow"));
    var unused =
        slow.scheduleWithFixedDelay(
            () -> {
              bodies.refuseSlow();
              connections.closeSlow();
            },
            LOOK_FOR_SLOW.toMillis(),
            LOOK_FOR_SLOW.toMillis(),
            TimeUnit.MILLISECONDS);
    var sized = new SizeLimitHandler(MAX_BODY_BYTES, -1);
    sized.setHandler(
        new RequestHandler(pipeline, proxies, pending, bodies, connections, workers, reserve));
    server.setHandler(new GracefulHandler(sized));
    server.addConnector(connector(server, channel, tls, connections));
    LifeCycle.start(server);
    return new WebServer(server, pending, List.of(workers, reserve, slow));
  }

  /* What can wait for a thread is bounded by the number of connections. */
  private static ExecutorService threads(int most, String name) {
    var threads =
        new ThreadPoolExecutor(
            most,
            most,
            IDLE.toSeconds(),
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            DaemonThreads.called(name));
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }

  /** Let requests under way finish, those that wait at once, refuse new ones, and stop. */
  @Override
  public void close() {
    pending.replyNow();
    LifeCycle.stop(server);
    threads.forEach(ExecutorService::shutdownNow);
  }

  private static ServerConnector connector(
      Server server,
      ServerSocketChannel channel,
      Optional<SslContextFactory.Server> tls,
      Connections connections) {
    HttpConfiguration http = configuration();
    // Which host the client names is not looked at: there is one site.
    tls.ifPresent(any -> http.addCustomizer(new SecureRequestCustomizer(false)));
    var protocols = new ArrayList<ConnectionFactory>();
    tls.ifPresent(secure -> protocols.add(new SslConnectionFactory(secure, "http/1.1")));
    protocols.add(new HttpConnectionFactory(http));
    var connector = new CountedConnector(server, protocols, connections);
    connector.setIdleTimeout(IDLE.toMillis());
    connector.setShutdownIdleTimeout(IDLE_WHILE_STOPPING.toMillis());
    try {
      connector.open(channel);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return connector;
  }

  /** Tells of every connection that comes and goes. */
  private static final class CountedConnector extends ServerConnector {
    private final Connections connections;

    CountedConnector(Server server, List<ConnectionFactory> protocols, Connections connections) {
      super(server, 1, 1, protocols.toArray(ConnectionFactory[]::new));
      this.connections = connections;
    }

    @Override
    protected void onEndPointOpened(EndPoint endPoint) {
      super.onEndPointOpened(endPoint);
      connections.opened(endPoint);
    }

    @Override
    protected void onEndPointClosed(EndPoint endPoint) {
      connections.closed(endPoint);
      super.onEndPointClosed(endPoint);
    }
  }

  private static HttpConfiguration configuration() {
    var http = new HttpConfiguration();
    http.setSendServerVersion(false);
    // Otherwise a value would come in the case in which it was sent first on the connection.
    http.setHeaderCacheCaseSensitive(true);
    http.setRequestHeaderSize(HEADER_BYTES);
    http.setIdleTimeout(IDLE.toMillis());
    // A key may hold a slash or a dot; the route table decodes each segment by itself.
    http.setUriCompliance(UriCompliance.UNSAFE);
    return http;
  }
}
