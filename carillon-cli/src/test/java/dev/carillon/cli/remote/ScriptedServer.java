package dev.carillon.cli.remote;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A server that answers what it was told to, and remembers what it was asked. */
public final class ScriptedServer implements AutoCloseable {
  private final HttpServer server;
  private final Map<String, Deque<Answer>> answers = new HashMap<>();
  private final List<Asked> asked = new ArrayList<>();

  private record Answer(int status, String type, String body) {}

  /**
   * What a request was.
   *
   * @param line method, path and query
   * @param headers by their names
   * @param body as it came
   */
  public record Asked(String line, Map<String, List<String>> headers, String body) {
    /** Return the first value of a header. */
    public @Nullable String header(String name) {
      List<String> values = headers.get(name);
      return values == null ? null : values.get(0);
    }
  }

  public ScriptedServer() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    server.createContext("/", this::answer);
    server.start();
  }

  /** Answer {@code line}, such as {@code GET /api/v1/me}; the last answer to a line is repeated. */
  public ScriptedServer on(String line, int status, String body) {
    String type = status < 400 ? "application/json" : "application/problem+json";
    synchronized (answers) {
      answers.computeIfAbsent(line, any -> new ArrayDeque<>()).add(new Answer(status, type, body));
    }
    return this;
  }

  /** Return where this listens. */
  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Return what was asked so far. */
  public List<Asked> asked() {
    synchronized (answers) {
      return List.copyOf(asked);
    }
  }

  /** Return the lines that were asked so far. */
  public List<String> lines() {
    return asked().stream().map(Asked::line).toList();
  }

  private void answer(HttpExchange exchange) throws IOException {
    String line = exchange.getRequestMethod() + " " + exchange.getRequestURI();
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    Answer answer;
    synchronized (answers) {
      asked.add(new Asked(line, Map.copyOf(exchange.getRequestHeaders()), body));
      Deque<Answer> left =
          answers.getOrDefault(
              line, answers.getOrDefault(line.replaceFirst("[?].*", "?*"), new ArrayDeque<>()));
      answer =
          left.size() > 1
              ? left.removeFirst()
              : left.isEmpty()
                  ? new Answer(404, "application/problem+json", "{\"detail\":\"not scripted\"}")
                  : left.getFirst();
    }
    byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", answer.type());
    exchange.sendResponseHeaders(answer.status(), bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
