package dev.carillon.resilience.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.function.Supplier;

/** The REST API of a node, as its administrator uses it. */
public final class Api {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(2))
          .build();
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Supplier<String> url;
  private final String token;

  /**
   * The API of a server.
   *
   * @param url where it is now; a node that was started again is elsewhere
   */
  Api(Supplier<String> url, String token) {
    this.url = url;
    this.token = token;
  }

  public JsonNode get(String path) {
    return json(send("GET", "/api/v1" + path, ""));
  }

  public JsonNode put(String path, String body) {
    return json(send("PUT", "/api/v1" + path, body));
  }

  public JsonNode post(String path, String body) {
    return json(send("POST", "/api/v1" + path, body));
  }

  /** Return the status of a page without waiting longer than {@code timeout}; 0 for no answer. */
  public int status(String path, Duration timeout) {
    try {
      return exchange("GET", path, "", timeout).statusCode();
    } catch (IOException e) {
      return 0;
    }
  }

  /** Send a request to a path of the server and return what it answered, whatever it is. */
  public HttpResponse<String> send(String method, String path, String body) {
    try {
      return exchange(method, path, body, Duration.ofSeconds(30));
    } catch (IOException e) {
      throw new UncheckedIOException("%s %s".formatted(method, path), e);
    }
  }

  private HttpResponse<String> exchange(String method, String path, String body, Duration timeout)
      throws IOException {
    var request =
        HttpRequest.newBuilder(URI.create(url.get() + path))
            .timeout(timeout)
            .header("Authorization", "Bearer " + token)
            .method(method, BodyPublishers.ofString(body));
    if (!body.isEmpty()) {
      request.header("Content-Type", "application/json");
    }
    try {
      return CLIENT.send(request.build(), BodyHandlers.ofString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  private static JsonNode json(HttpResponse<String> reply) {
    if (reply.statusCode() >= 300) {
      throw new IllegalStateException(
          "%s %s: %s"
              .formatted(reply.request().method(), reply.request().uri().getPath(), reply.body()));
    }
    try {
      return reply.body().isEmpty() ? MissingNode.getInstance() : JSON.readTree(reply.body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
