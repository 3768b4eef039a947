package dev.carillon.console.browser;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A reverse proxy that serves a server below {@code /carillon/}, and knows nothing of it. */
final class PrefixProxy implements AutoCloseable {
  private static final String PREFIX = "/carillon";
  private static final Set<String> HOP_BY_HOP =
      Set.of("host", "connection", "content-length", "upgrade", "transfer-encoding");

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpClient client = HttpClient.newHttpClient();
  private final String behind;

  PrefixProxy(String behind) {
    this.behind = behind;
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext(PREFIX + "/", this::forward);
    server.start();
  }

  String url() {
    return "http://localhost:" + server.getAddress().getPort() + PREFIX;
  }

  private void forward(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().toString().substring(PREFIX.length());
      var request =
          HttpRequest.newBuilder(URI.create(behind + path))
              .method(
                  exchange.getRequestMethod(),
                  BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes()));
      exchange
          .getRequestHeaders()
          .forEach(
              (name, values) -> {
                if (!HOP_BY_HOP.contains(name.toLowerCase(java.util.Locale.ROOT))) {
                  values.forEach(value -> request.header(name, value));
                }
              });
      HttpResponse<InputStream> answer = client.send(request.build(), BodyHandlers.ofInputStream());
      answer
          .headers()
          .map()
          .forEach(
              (name, values) -> {
                if (!HOP_BY_HOP.contains(name) && !name.startsWith(":")) {
                  values.forEach(value -> exchange.getResponseHeaders().add(name, value));
                }
              });
      boolean empty = answer.statusCode() == 204 || answer.statusCode() == 304;
      exchange.sendResponseHeaders(answer.statusCode(), empty ? -1 : 0);
      if (!empty) {
        copy(answer.body(), exchange.getResponseBody());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void copy(InputStream from, OutputStream to) throws IOException {
    var buffer = new byte[8_192];
    for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
      to.write(buffer, 0, read);
      to.flush();
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
