package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The worker of the examples, before a server that refuses it. */
@Timeout(180)
class WorkerBackoffTest {
  private final BlockingQueue<Long> calls = new LinkedBlockingQueue<>();
  private volatile int status = 401;
  private volatile String retryAfter = "";
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    calls.add(System.nanoTime());
    exchange.getRequestBody().readAllBytes();
    if (!retryAfter.isEmpty()) {
      exchange.getResponseHeaders().set("Retry-After", retryAfter);
    }
    byte[] body = "{\"runs\": []}".getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private PythonWorker worker() throws IOException {
    return PythonWorker.start(
        "http://127.0.0.1:" + server.getAddress().getPort(), "crl_x", "30", "bell");
  }

  private long next() throws InterruptedException {
    Long at = calls.poll(60, TimeUnit.SECONDS);
    assertThat(at).as("the worker calls").isNotNull();
    return at;
  }

  private static Duration between(long one, long other) {
    return Duration.ofNanos(other - one);
  }

  @Test
  void a_worker_that_is_refused_asks_less_and_less_often() throws Exception {
    try (var worker = worker()) {
      long first = next();
      long second = next();
      long third = next();
      long fourth = next();

      assertThat(between(first, second)).isGreaterThan(Duration.ofMillis(900));
      assertThat(between(second, third)).isGreaterThan(Duration.ofMillis(1_900));
      assertThat(between(third, fourth)).isGreaterThan(Duration.ofMillis(3_900));
      assertThat(worker.out().get(0)).matches("trying again in \\d+ s: HTTP Error 401.*");

      assertThat(worker.terminate()).isZero();
    }
  }

  @Test
  void a_worker_waits_as_long_as_the_server_asks() throws Exception {
    status = 429;
    retryAfter = "5";
    try (var worker = worker()) {
      assertThat(between(next(), next()))
          .as("pauses: %s", worker.out())
          .isGreaterThan(Duration.ofMillis(4_900));
    }
  }
}
