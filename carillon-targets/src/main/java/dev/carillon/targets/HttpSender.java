package dev.carillon.targets;

import dev.carillon.Version;
import dev.carillon.model.Failure;
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
 * Sends requests to endpoints: one for all HTTP targets of a process, with a few threads however
 * many calls are open.
 */
public final class HttpSender implements AutoCloseable {
  private static final int THREADS = 16;
  private static final int SELECTORS = 2;
  private static final int THREADS_ASIDE = 8;
  private static final int MOST_WAITING = 100_000; // of all targets at one host
  private static final int LARGEST_HEADERS = 32 * 1024;
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  /* Shorter than any common server keeps an idle connection, so that none is used while the other
   * side is closing it. */
  private static final Duration KEPT_OPEN = Duration.ofMillis(1_500);

  private final HttpClient client;
  private final ThreadPoolExecutor aside;
  private final AddressGuard guard;
  private final Lookup lookup;

  private HttpSender(
      HttpClient client, ThreadPoolExecutor aside, AddressGuard guard, Lookup lookup) {
    this.client = client;
    this.aside = aside;
    this.guard = guard;
    this.lookup = lookup;
  }

  /** Start, with the certificate authorities and the name service of this machine. */
  public static HttpSender start(AddressGuard guard) {
    try {
      return start(guard, Lookup.system(), SSLContext.getDefault());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java has no TLS", e);
    }
  }

  /** Start; {@code tls} says which certificate authorities are trusted. */
  public static HttpSender start(AddressGuard guard, Lookup lookup, SSLContext tls) {
    var aside =
        new ThreadPoolExecutor(
            THREADS_ASIDE,
            THREADS_ASIDE,
            KEPT_OPEN.toMillis(),
            TimeUnit.MILLISECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              var thread = new Thread(task, "carillon-http-aside");
              thread.setDaemon(true);
              return thread;
            });
    aside.allowCoreThreadTimeOut(true);
    HttpClient client = client(tls);
    client.setSocketAddressResolver(new GuardedResolver(guard, lookup, aside));
    try {
      client.start();
    } catch (Exception e) {
      throw new IllegalStateException("the HTTP client did not start", e);
    }
    // Neither redirects nor passwords: an endpoint's answer never causes another request.
    client.getProtocolHandlers().remove("redirect");
    client.getProtocolHandlers().remove("www-authenticate");
    client.getProtocolHandlers().remove("proxy-authenticate");
    client.getContentDecoderFactories().clear(); // a small answer could unpack to a large one
    return new HttpSender(client, aside, guard, lookup);
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
    connector.setIdleTimeout(KEPT_OPEN);
    var client = new HttpClient(new HttpClientTransportOverHTTP(connector));
    client.setFollowRedirects(false);
    client.setHttpCookieStore(new HttpCookieStore.Empty());
    client.setUserAgentField(new HttpField(HttpHeader.USER_AGENT, "Carillon/" + Version.current()));
    client.setMaxConnectionsPerDestination(HttpTargetSettings.MOST_CONCURRENT);
    client.setMaxRequestsQueuedPerDestination(MOST_WAITING);
    client.setMaxRequestHeadersSize(LARGEST_HEADERS);
    client.setMaxResponseHeadersSize(LARGEST_HEADERS);
    client.setDestinationIdleTimeout(Duration.ofMinutes(1).toMillis());
    return client;
  }

  /**
   * Look {@code url} up and say why it could not be called now; empty if it could, or if the name
   * service does not answer in time. Nothing is sent.
   */
  public Optional<Failure> objection(URI url, Duration patience) {
    int port = url.getPort() >= 0 ? url.getPort() : url.getScheme().equals("https") ? 443 : 80;
    String host = Hosts.plain(url.getHost());
    var found = new CompletableFuture<Optional<Failure>>();
    aside(
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
                        "there is no host called %s now".formatted(Printable.line(host, 300)))));
          } catch (RuntimeException e) {
            found.complete(Optional.empty());
          }
        });
    return found
        .completeOnTimeout(Optional.empty(), patience.toMillis(), TimeUnit.MILLISECONDS)
        .join();
  }

  /** Prepare to send a message; told once how it ended, on a thread that must not be blocked. */
  Exchange exchange(HttpMessage message, Duration timeout, Consumer<Reply> ended) {
    Request request =
        client
            .newRequest(message.url())
            .method(message.method())
            .timeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
            .idleTimeout(timeout.toMillis() + 1_000, TimeUnit.MILLISECONDS)
            .headers(fields -> message.headers().forEach(fields::put))
            .body(new BytesRequestContent("application/json", message.bytes()));
    return new Exchange(request, ended);
  }

  /** Do something after a while, on a thread that must not be blocked. */
  void later(Duration pause, Runnable action) {
    client.getScheduler().schedule(action, pause.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Do something that may block. */
  public void aside(Runnable action) {
    aside.execute(action);
  }

  /** Stop; calls under way end as failed. */
  @Override
  public void close() {
    try {
      client.stop();
    } catch (Exception e) {
      throw new IllegalStateException("the HTTP client did not stop", e);
    } finally {
      aside.shutdown();
    }
  }
}
