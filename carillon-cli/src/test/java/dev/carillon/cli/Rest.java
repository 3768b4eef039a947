package dev.carillon.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.Json;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;

/** A server as a client of its REST API sees it. */
final class Rest {
  private final HttpClient client = HttpClient.newHttpClient();
  private final String url;
  private final String token;

  Rest(String url, String token) {
    this.url = url;
    this.token = token;
  }

  JsonNode get(String path) throws Exception {
    return send("GET", path, "");
  }

  JsonNode put(String path, String body) throws Exception {
    return send("PUT", path, body);
  }

  JsonNode post(String path, String body) throws Exception {
    return send("POST", path, body);
  }

  /** Run {@code target} once, and return the id of the run. */
  String enqueue(String target, String payload) throws Exception {
    return post("/runs", "{\"target\": \"%s\", \"payload\": %s}".formatted(target, payload))
        .path("id")
        .asText();
  }

  /** Return how many runs of {@code target} are in {@code state}, of the latest 500. */
  int count(String target, String state) throws Exception {
    return get("/runs?limit=500&target=%s&state=%s".formatted(target, state)).path("items").size();
  }

  private JsonNode send(String method, String path, String body) throws Exception {
    var reply =
        client.send(
            HttpRequest.newBuilder(URI.create(url + "/api/v1" + path))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString(body))
                .build(),
            BodyHandlers.ofString());
    if (reply.statusCode() >= 300) {
      throw new AssertionError("%s %s: %s".formatted(method, path, reply.body()));
    }
    return Json.read(reply.body());
  }
}
