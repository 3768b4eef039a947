package dev.carillon.server;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A place on a port of this machine where keys are published, well or badly. */
final class Issuer implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicInteger asked = new AtomicInteger();
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile List<JWK> keys = List.of();
  private volatile Manner manner = Manner.WELL;

  /** How it answers. */
  enum Manner {
    WELL,
    WITH_AN_ERROR,
    WITH_NONSENSE,
    WITH_A_REDIRECT,
    WITH_TOO_MUCH,
    BY_HANGING_UP,
    HALF,
    DRIPPING,
    NOT
  }

  Issuer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.setExecutor(threads);
    server.start();
  }

  URI url() {
    return URI.create("http://127.0.0.1:%s/keys".formatted(server.getAddress().getPort()));
  }

  /** Publish these keys, and no others. */
  void publish(Keys... published) {
    publish(Arrays.stream(published).map(Keys::published).toArray(JWK[]::new));
  }

  void publish(JWK... published) {
    keys = List.of(published);
  }

  void answers(Manner how) {
    manner = how;
  }

  /** Return how often it was asked. */
  int asked() {
    return asked.get();
  }

  private void answer(HttpExchange exchange) throws IOException {
    asked.incrementAndGet();
    String good = new JWKSet(keys).toString(false);
    switch (manner) {
      case WELL -> reply(exchange, 200, good);
      case WITH_AN_ERROR -> reply(exchange, 500, good);
      case WITH_NONSENSE -> reply(exchange, 200, "<html>welcome</html>");
      case WITH_A_REDIRECT -> {
        exchange.getResponseHeaders().set("Location", "/elsewhere");
        reply(exchange, exchange.getRequestURI().getPath().equals("/keys") ? 302 : 200, good);
      }
      case WITH_TOO_MUCH -> reply(exchange, 200, " ".repeat(1024 * 1024) + good);
      case BY_HANGING_UP -> exchange.close();
      case HALF -> {
        exchange.sendResponseHeaders(200, good.length());
        exchange.getResponseBody().write('{');
        exchange.getResponseBody().flush();
      }
      case DRIPPING -> drip(exchange);
      case NOT -> {}
    }
  }

  private void drip(HttpExchange exchange) throws IOException {
    exchange.sendResponseHeaders(200, 0);
    try {
      while (!closed.await(100, TimeUnit.MILLISECONDS)) {
        exchange.getResponseBody().write(' ');
        exchange.getResponseBody().flush();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void reply(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
