package dev.carillon.resilience.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * An HTTP endpoint outside the product that works for a while on each run it is sent, and writes
 * down what came and when, to a file with a line per call.
 */
public final class Journal implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Duration work;
  private final BufferedWriter file;
  private final List<Call> calls = new ArrayList<>();

  public Journal(Path path, Duration work) throws IOException {
    this.work = work;
    file = Files.newBufferedWriter(path);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 500);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  private void answer(HttpExchange exchange) throws IOException {
    Instant begin = Instant.now();
    try (exchange) {
      JsonNode message = JSON.readTree(exchange.getRequestBody());
      TimeUnit.NANOSECONDS.sleep(work.toNanos());
      var headers = exchange.getRequestHeaders();
      write(
          new Call(
              headers.getFirst("webhook-id"),
              message.at("/source/connector_id").asText(""),
              Instant.parse(message.path("slot").asText()),
              Integer.parseInt(headers.getFirst("Carillon-Attempt")),
              headers.getFirst("Idempotency-Key"),
              begin,
              Instant.now()));
      exchange.sendResponseHeaders(204, -1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void write(Call call) throws IOException {
    calls.add(call);
    file.write(
        String.join(
            "\t",
            call.run(),
            call.schedule(),
            call.slot().toString(),
            String.valueOf(call.attempt()),
            call.key(),
            call.begin().toString(),
            call.end().toString()));
    file.newLine();
  }

  public String url() {
    return "http://127.0.0.1:%s/run".formatted(server.getAddress().getPort());
  }

  /** Return the calls so far, in the order of their ends. */
  public synchronized List<Call> calls() {
    return List.copyOf(calls);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
    try {
      synchronized (this) {
        file.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
