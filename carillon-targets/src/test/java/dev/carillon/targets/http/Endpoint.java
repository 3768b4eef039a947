package dev.carillon.targets.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;

/**
 * A real HTTP server on a port of its own that records requests and answers as the test chooses.
 */
public final class Endpoint implements AutoCloseable {
  private final HttpServer server;
  private final List<Received> received = new CopyOnWriteArrayList<>();

  /**
   * A request as it came in.
   *
   * @param uri the path and query
   * @param headers by name, as sent
   * @param body as text
   */
  public record Received(
      String method, String uri, Map<String, List<String>> headers, String body) {
    public String header(String name) {
      return headers.entrySet().stream()
          .filter(entry -> entry.getKey().equalsIgnoreCase(name))
          .map(entry -> String.join(", ", entry.getValue()))
          .findFirst()
          .orElse("");
    }
  }

  /** How to answer. */
  @FunctionalInterface
  public interface Manner {
    void answer(HttpExchange exchange) throws IOException;
  }

  private Endpoint(HttpServer server, Manner manner) {
    this.server = server;
    server.createContext(
        "/",
        exchange -> {
          String body =
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          received.add(
              new Received(
                  exchange.getRequestMethod(),
                  exchange.getRequestURI().toString(),
                  Map.copyOf(exchange.getRequestHeaders()),
                  body));
          manner.answer(exchange);
        });
    server.start();
  }

  private static InetSocketAddress anyPort() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  public static Endpoint answering(Manner manner) {
    try {
      return new Endpoint(HttpServer.create(anyPort(), 4_096), manner);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Endpoint answering(int status, String body) {
    return answering(exchange -> reply(exchange, status, body));
  }

  static Endpoint secure(SSLContext tls, Manner manner) throws IOException {
    HttpsServer server = HttpsServer.create(anyPort(), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(tls));
    return new Endpoint(server, manner);
  }

  public static void reply(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    if (bytes.length > 0) {
      exchange.getResponseBody().write(bytes);
    }
    exchange.close();
  }

  int port() {
    return server.getAddress().getPort();
  }

  public String url() {
    return "http://127.0.0.1:" + port() + "/hook";
  }

  public List<Received> received() {
    return received;
  }

  public Received only() {
    if (received.size() != 1) {
      throw new AssertionError("received " + received.size() + " requests: " + received);
    }
    return received.get(0);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
