package dev.carillon.targets.http;

import dev.carillon.Version;
import dev.carillon.model.Failure;
import dev.carillon.targets.SafeText;
import dev.carillon.targets.guard.AddressGuard;
import dev.carillon.targets.guard.AddressLookup;
import dev.carillon.targets.guard.AddressRefusedException;
import dev.carillon.targets.guard.GuardedResolver;
import dev.carillon.targets.guard.HostText;
import java.net.URI;
import java.net.UnknownHostException;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.client.BytesRequestContent;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.transport.HttpClientTransportOverHTTP;
import org.eclipse.jetty.http.HttpCookieStore;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.ClientConnector;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * The HTTP client that all HTTP targets of a process share; its number of threads does not grow
 * with the number of open calls.
 */
public final class HttpSender implements AutoCloseable {
  private static final int THREADS = 16;
  private static final int SELECTORS = 2;
  private static final int BLOCKING_THREADS = 8;
  private static final int MAX_QUEUED = 100_000; // per host, for all targets together
  private static final int MAX_HEADER_BYTES = 32 * 1024;
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  /* Shorter than the idle timeout of common servers, so that no connection is reused while the
   * server closes it. */
  private static final Duration IDLE_TIMEOUT = Duration.ofMillis(1_500);

  private final HttpClient client;
  private final ThreadPoolExecutor blockingTasks;
  private final AddressGuard guard;
  private final AddressLookup lookup;

  private HttpSender(
      HttpClient client,
      ThreadPoolExecutor blockingTasks,
      AddressGuard guard,
      AddressLookup lookup) {
    this.client = client;
    this.blockingTasks = blockingTasks;
    this.guard = guard;
    this.lookup = lookup;
  }

  /** Start with the certificate authorities and the name service of this machine. */
  public static HttpSender start(AddressGuard guard) {
    try {
      return start(guard, AddressLookup.system(), SSLContext.getDefault());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java has no TLS", e);
    }
  }

  /** Start with the certificate authorities that {@code tls} trusts. */
  public static HttpSender start(AddressGuard guard, AddressLookup lookup, SSLContext tls) {
    var blockingTasks =
        new ThreadPoolExecutor(
            BLOCKING_THREADS,
            BLOCKING_THREADS,
            IDLE_TIMEOUT.toMillis(),
            TimeUnit.MILLISECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              var thread = new Thread(task, "carillon-http-blocking");
              thread.setDaemon(true);
              return thread;
            });
    blockingTasks.allowCoreThreadTimeOut(true);
    HttpClient client = client(tls);
    client.setSocketAddressResolver(new GuardedResolver(guard, lookup, blockingTasks));
    try {
      client.start();
    } catch (Exception e) {
      throw new IllegalStateException("the HTTP client did not start", e);
    }
    // A response never causes another request: no redirects, no authentication, no upgrade.
    client.getProtocolHandlers().clear();
    client.getProtocolHandlers().put(new InterimResponses());
    client.getContentDecoderFactories().clear(); // a small response could decompress to a large one
    return new HttpSender(client, blockingTasks, guard, lookup);
  }

  private static HttpClient client(SSLContext tls) {
    var threads = new QueuedThreadPool(THREADS, 2);
    threads.setName("carillon-http");
    threads.setDaemon(true);
    var trust = new SslContextFactory.Client();
    trust.setSslContext(tls);
    var connector = new ClientConnector();
    connector.setSelectors(SELECTORS);
    connector.setExecutor(threads);
    connector.setSslContextFactory(trust);
    connector.setConnectTimeout(CONNECT_TIMEOUT);
    connector.setIdleTimeout(IDLE_TIMEOUT);
    var client = new HttpClient(new HttpClientTransportOverHTTP(connector));
    client.setFollowRedirects(false);
    client.setHttpCookieStore(new HttpCookieStore.Empty());
    client.setUserAgentField(new HttpField(HttpHeader.USER_AGENT, "Carillon/" + Version.current()));
    client.setMaxConnectionsPerDestination(HttpTargetSettings.MAX_CONCURRENT);
    client.setMaxRequestsQueuedPerDestination(MAX_QUEUED);
    client.setMaxRequestHeadersSize(MAX_HEADER_BYTES);
    client.setMaxResponseHeadersSize(MAX_HEADER_BYTES);
    client.setDestinationIdleTimeout(Duration.ofMinutes(1).toMillis());
    return client;
  }

  /**
   * Resolve {@code url} and return why it cannot be called now; empty if it can be called, or if
   * the name service does not answer within {@code timeout}. Nothing is sent.
   */
  public Optional<Failure> objection(URI url, Duration timeout) {
    int port = url.getPort() >= 0 ? url.getPort() : url.getScheme().equals("https") ? 443 : 80;
    String host = HostText.normalize(url.getHost());
    var found = new CompletableFuture<Optional<Failure>>();
    runAsync(
        () -> {
          try {
            guard.check(host, port, lookup.find(host));
            found.complete(Optional.empty());
          } catch (AddressRefusedException e) {
            found.complete(
                Optional.of(Failure.of("address_refused", String.valueOf(e.getMessage()))));
          } catch (UnknownHostException e) {
            found.complete(
                Optional.of(
                    Failure.of(
                        "unknown_host",
                        "there is no host called %s now".formatted(SafeText.line(host, 300)))));
          } catch (RuntimeException e) {
            found.complete(Optional.empty());
          }
        });
    return found
        .completeOnTimeout(Optional.empty(), timeout.toMillis(), TimeUnit.MILLISECONDS)
        .join();
  }

  /** Prepare to send a message; {@code ended} is called once, on a thread that must not block. */
  Exchange exchange(HttpMessage message, Duration timeout, Consumer<ExchangeResult> ended) {
    Request request =
        client
            .newRequest(message.url())
            .method(message.method())
            .timeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
            .idleTimeout(timeout.toMillis() + 1_000, TimeUnit.MILLISECONDS)
            .headers(fields -> message.headers().forEach(fields::put))
            .body(new BytesRequestContent("application/json", message.bytes()));
    return new Exchange(request, timeout, client.getScheduler(), ended);
  }

  /** Run {@code action} after {@code pause}, on a thread that must not block. */
  void later(Duration pause, Runnable action) {
    client.getScheduler().schedule(action, pause.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Run an action that may block on another thread. */
  public void runAsync(Runnable action) {
    blockingTasks.execute(action);
  }

  /** Stop; open calls fail. */
  @Override
  public void close() {
    try {
      client.stop();
    } catch (Exception e) {
      throw new IllegalStateException("the HTTP client did not stop", e);
    } finally {
      blockingTasks.shutdown();
    }
  }
}
