package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.Json;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server with 512 MB whose viewers ask for large pages, many at once, and some never read. */
@Timeout(600)
class LargePagesIT {
  private static final String ADMIN = "crl_administrator_of_a_test_0123456789";
  private static final String LARGE_PAGE = "/api/v1/schedules?limit=500&include=payload";
  private static final int SCHEDULES = 300;
  private static final int CLIENTS = 200;
  private static final int SLOW_READERS = 40;
  private static final int MAX_BYTES = 4 * 1024 * 1024;

  private final HttpClient client = HttpClient.newHttpClient();

  @TempDir Path folder;

  @Test
  void neither_many_large_pages_nor_slow_readers_stop_the_scheduler() throws Exception {
    try (var server =
        Program.start(
            List.of("-Xmx512m"),
            Map.of("CARILLON_ADMIN_TOKEN", ADMIN),
            "serve",
            "--port",
            "0",
            "--data",
            folder.resolve("data").toString())) {
      var rest = new Rest(server.url(), ADMIN);
      String payload = "x".repeat(256 * 1024 - 100);
      for (int i = 0; i < SCHEDULES; i++) {
        rest.put(
            "/schedules/large-" + i,
            """
            {"target": "noop", "timing": {"at": "2099-01-01T00:00:00Z"}, "payload": {"text": "%s"}}
            """
                .formatted(payload));
      }
      rest.put("/schedules/tick", "{\"target\": \"noop\", \"timing\": {\"every\": \"PT1S\"}}");
      String viewer =
          Json.text(rest.post("/tokens", "{\"name\": \"v\", \"roles\": [\"viewer\"]}"), "/token");
      URI address = URI.create(server.url());
      var slow = new ArrayList<Socket>();
      Instant begun = Instant.now();
      var threads = Executors.newFixedThreadPool(CLIENTS);
      try {
        for (int i = 0; i < SLOW_READERS; i++) {
          slow.add(slowReader(address, viewer));
        }
        var answers = new ArrayList<Future<HttpResponse<String>>>();
        Callable<HttpResponse<String>> list = () -> list(address, viewer);
        for (int i = 0; i < CLIENTS; i++) {
          answers.add(threads.submit(list));
        }
        for (Future<HttpResponse<String>> answer : answers) {
          assertPageOrRefusal(answer.get());
        }
      } finally {
        threads.shutdownNow();
        for (Socket socket : slow) {
          socket.close();
        }
      }
      Instant over = Instant.now();

      await(() -> server.get("/readyz").statusCode() == 200);
      await(() -> list(address, viewer).statusCode() == 200); // what was not read is let go
      await(() -> hasRunAfter(rest, over));
      assertThat(ticks(rest, begun, over))
          .as("runs while the pages were read")
          .hasSizeGreaterThan((int) (Duration.between(begun, over).toSeconds() / 2));
      assertThat(all(address, viewer)).isEqualTo(SCHEDULES + 1);
      assertThat(server.isAlive()).isTrue();
      assertThat(server.err())
          .noneMatch(line -> line.contains("OutOfMemory") || line.contains("has not turned"));
    }
  }

  private HttpRequest.Builder request(URI address, String path, String token) {
    return HttpRequest.newBuilder(address.resolve(path))
        .timeout(Duration.ofMinutes(3))
        .header("Authorization", "Bearer " + token);
  }

  private HttpResponse<String> list(URI address, String token) throws Exception {
    return client.send(request(address, LARGE_PAGE, token).build(), BodyHandlers.ofString());
  }

  private static void assertPageOrRefusal(HttpResponse<String> answer) throws Exception {
    assertThat(answer.statusCode()).isIn(200, 503);
    if (answer.statusCode() == 200) {
      assertThat(answer.body().length()).isLessThanOrEqualTo(MAX_BYTES);
      assertThat(Json.text(Json.read(answer.body()), "/nextCursor")).isNotEmpty();
    } else {
      assertThat(answer.headers().firstValue("Retry-After")).isPresent();
    }
  }

  /* Asks for a page and does not read it. */
  private static Socket slowReader(URI address, String token) throws IOException {
    var socket = new Socket();
    socket.setReceiveBufferSize(4096);
    socket.connect(new InetSocketAddress(address.getHost(), address.getPort()));
    socket
        .getOutputStream()
        .write(
            "GET %s HTTP/1.1\r\nHost: carillon\r\nAuthorization: Bearer %s\r\n\r\n"
                .formatted(LARGE_PAGE, token)
                .getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  /* Follows the cursors, and waits where it is told to. */
  private int all(URI address, String token) throws Exception {
    int found = 0;
    String cursor = "";
    do {
      String next = cursor;
      var page = new ArrayList<JsonNode>();
      await(
          () -> {
            HttpResponse<String> answer =
                client.send(
                    request(address, LARGE_PAGE + next, token).build(), BodyHandlers.ofString());
            if (answer.statusCode() == 200) {
              page.add(Json.read(answer.body()));
            }
            return answer.statusCode() == 200;
          });
      found += page.get(0).path("items").size();
      String after = Json.text(page.get(0), "/nextCursor");
      cursor = after.isEmpty() ? "" : "&cursor=" + after;
    } while (!cursor.isEmpty());
    return found;
  }

  private static List<String> ticks(Rest rest, Instant from, Instant to) throws Exception {
    return rest.get(
            "/runs?schedule=tick&state=succeeded&limit=500&from=%s&to=%s".formatted(from, to))
        .path("items")
        .findValuesAsText("id");
  }

  private static boolean hasRunAfter(Rest rest, Instant moment) throws Exception {
    return !rest.get("/runs?schedule=tick&state=succeeded&limit=1&from=" + moment)
        .path("items")
        .isEmpty();
  }

  private static void await(Callable<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    while (!condition.call()) {
      assertThat(System.nanoTime()).as("still waiting").isLessThan(deadline);
      Thread.onSpinWait();
    }
  }
}
