package dev.carillon.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An HTTP endpoint that receives runs, and answers none before it is told to. */
final class Endpoint implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch answering = new CountDownLatch(1);
  private final List<Map<String, List<String>>> calls = new CopyOnWriteArrayList<>();

  Endpoint() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      calls.add(Map.copyOf(exchange.getRequestHeaders()));
      answering.await();
      exchange.sendResponseHeaders(204, -1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  String url() {
    return "http://127.0.0.1:%s/hook".formatted(server.getAddress().getPort());
  }

  /** Return the headers of the calls so far. */
  List<Map<String, List<String>>> calls() {
    return List.copyOf(calls);
  }

  /** Answer everything, what came and what comes. */
  void answer() {
    answering.countDown();
  }

  @Override
  public void close() {
    answer();
    server.stop(0);
    threads.shutdownNow();
  }
}
