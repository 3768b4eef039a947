package dev.carillon.console.browser;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.carillon.server.Server;
import dev.carillon.server.ServerSettings;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;

/** A whole server on a port, with an embedded PostgreSQL, and its administrator. */
final class RealServer implements AutoCloseable {
  /** The token of the administrator. */
  static final String ADMIN = "an-admin-token-of-the-console-tests";

  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient client = HttpClient.newHttpClient();
  private final Path folder;
  private final String nodeName;
  private final Map<String, String> flags;
  private final Map<String, String> environment;
  private Server server;

  RealServer(Path folder, int port) {
    this(folder, port, "billing-1");
  }

  RealServer(Path folder, int port, String nodeName) {
    this(folder, port, nodeName, Map.of(), Map.of());
  }

  /** Start one with further settings, as flags and in its environment. */
  RealServer(
      Path folder,
      int port,
      String nodeName,
      Map<String, String> flags,
      Map<String, String> environment) {
    this.folder = folder;
    this.nodeName = nodeName;
    this.flags = flags;
    this.environment = environment;
    server = started(port);
  }

  private Server started(int port) {
    var allFlags = new HashMap<>(flags);
    allFlags.put("port", String.valueOf(port));
    allFlags.put("data", folder.toString());
    allFlags.put("node-name", nodeName);
    allFlags.put("allowed-hosts", "127.0.0.1");
    var variables = new HashMap<>(environment);
    variables.put("CARILLON_ADMIN_TOKEN", ADMIN);
    var started = new Server(ServerSettings.from(allFlags, variables), progress -> {});
    started.start();
    return started;
  }

  /** Stop, let {@code meanwhile} happen, and start again at the same address with the same data. */
  void restartsAfter(Runnable meanwhile) {
    int port = URI.create(server.url()).getPort();
    server.close();
    meanwhile.run();
    server = started(port);
  }

  /** Return where it is, with the host that browsers call secure. */
  String url() {
    return server.url().replace("127.0.0.1", "localhost");
  }

  JsonNode get(String path) {
    return send("GET", path, "");
  }

  JsonNode post(String path, String body) {
    return send("POST", path, body);
  }

  JsonNode put(String path, String body) {
    return send("PUT", path, body);
  }

  JsonNode patch(String path, String body) {
    return send("PATCH", path, body);
  }

  void delete(String path) {
    send("DELETE", path, "");
  }

  /** Ask until the answer is as wanted. */
  JsonNode once(String path, Predicate<JsonNode> wanted) {
    return Waiting.until(path, () -> Optional.of(get(path)).filter(wanted));
  }

  /** Make a token with {@code role}, and return it. */
  String token(String role) {
    return post("/tokens", "{\"name\": \"%s\", \"roles\": [\"%s\"]}".formatted(role, role))
        .path("token")
        .asText();
  }

  /** Make a sign-in link, and return its path. */
  String link() {
    return post("/sign-in-links", "").path("path").asText();
  }

  /** Return with which status a request with these cookies is answered. */
  int status(String path, String cookies) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.url() + "/api/v1" + path))
            .header("Cookie", cookies)
            .header("X-Carillon-Console", "1")
            .build();
    return client.sendAsync(request, BodyHandlers.discarding()).join().statusCode();
  }

  private JsonNode send(String method, String path, String body) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.url() + "/api/v1" + path))
            .header("Authorization", "Bearer " + ADMIN)
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", UUID.randomUUID().toString())
            .method(method, BodyPublishers.ofString(body))
            .build();
    HttpResponse<String> answer = client.sendAsync(request, BodyHandlers.ofString()).join();
    if (answer.statusCode() >= 300) {
      throw new AssertionError(method + " " + path + ": " + answer.body());
    }
    try {
      return JSON.readTree(answer.body());
    } catch (JsonProcessingException e) {
      throw new AssertionError(answer.body(), e);
    }
  }

  @Override
  public void close() {
    server.close();
    Folders.delete(folder);
  }
}
