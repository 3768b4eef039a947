package dev.carillon.server;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.fixture.PostgresServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/** A whole server on a port and a database of its own, and an administrator who talks to it. */
final class Running implements AutoCloseable {
  static final String TOKEN = "an-admin-token-that-is-set";

  /** A key for secrets. */
  static final String KEY = "test:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

  private final HttpClient client = HttpClient.newHttpClient();
  private final Server server;

  Running(PostgresServer postgres, Path folder, Map<String, String> flags) {
    var all = new HashMap<String, String>();
    all.put("port", "0");
    all.put("data", folder.toString());
    all.put(
        "database-url",
        "postgresql://%s:%s@127.0.0.1:%s/%s"
            .formatted(
                postgres.user(), postgres.password(), postgres.port(), postgres.createMigrated()));
    all.putAll(flags);
    server =
        new Server(
            ServerSettings.from(
                all, Map.of("CARILLON_ADMIN_TOKEN", TOKEN, "CARILLON_SECRET_KEY", KEY)),
            progress -> {});
    server.start();
  }

  String url() {
    return server.url();
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

  /** Ask until the answer is as wanted. */
  JsonNode once(String path, Predicate<JsonNode> wanted) {
    JsonNode answer;
    do {
      answer = get(path);
    } while (!wanted.test(answer));
    return answer;
  }

  private JsonNode send(String method, String path, String body) {
    HttpResponse<String> answer = send(TOKEN, method, path, body);
    if (answer.statusCode() >= 300) {
      throw new AssertionError(method + " " + path + ": " + answer.body());
    }
    return Answer.parse(answer.body());
  }

  /** Send as the caller with {@code token}. */
  HttpResponse<String> send(String token, String method, String path, String body) {
    var request =
        HttpRequest.newBuilder(URI.create(server.url() + "/api/v1" + path))
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body))
            .build();
    return client.sendAsync(request, BodyHandlers.ofString()).join();
  }

  @Override
  public void close() {
    server.close();
  }
}
