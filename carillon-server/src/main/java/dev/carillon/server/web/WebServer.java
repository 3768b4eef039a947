package dev.carillon.server.web;

import dev.carillon.server.log.JettyWarnings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.Optional;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
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

  private static final int THREADS = 32;
  private static final int CONNECTIONS = 1024;
  private static final int HEADER_BYTES = 8 * 1024;
  private static final Duration IDLE = Duration.ofSeconds(30);
  private static final Duration IDLE_WHILE_CROWDED = Duration.ofSeconds(1);
  private static final Duration IDLE_WHILE_STOPPING = Duration.ofMillis(100);
  private static final Duration FINISHING = Duration.ofSeconds(5);

  private final Server server;
  private final PendingReplies pending;

  private WebServer(Server server, PendingReplies pending) {
    this.server = server;
    this.pending = pending;
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
    JettyWarnings.install();
    // What can wait for a thread is bounded by the number of connections.
    var threads = new QueuedThreadPool(THREADS, 4, Math.toIntExact(IDLE.toMillis()));
    threads.setName("carillon-http");
    var server = new Server(threads);
    server.setStopTimeout(FINISHING.toMillis());
    server.setErrorHandler(new JettyErrorHandler());
    var pending = new PendingReplies();
    var sized = new SizeLimitHandler(MAX_BODY_BYTES, -1);
    sized.setHandler(new RequestHandler(pipeline, proxies, pending));
    server.setHandler(new GracefulHandler(sized));
    server.addConnector(connector(server, channel, tls));
    LifeCycle.start(server);
    return new WebServer(server, pending);
  }

  /** Let requests under way finish, those that wait at once, refuse new ones, and stop. */
  @Override
  public void close() {
    pending.replyNow();
    LifeCycle.stop(server);
  }

  private static ServerConnector connector(
      Server server, ServerSocketChannel channel, Optional<SslContextFactory.Server> tls) {
    HttpConfiguration http = configuration();
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
