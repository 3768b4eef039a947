package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The whole way of a run to an endpoint that wants no more, or not yet. */
@ExtendWith(EmbeddedPostgres.class)
@Timeout(120)
class HttpServingTest {
  private static final String OFTEN =
      """
      {"target": "%s", "timing": {"every": "PT1S"}, "retry": {"attempts": 5, "backoff": "PT0.1S"}}
      """;
  private static final String NOW =
      """
      {"target": "%s", "timing": {"in": "PT1S"}, "retry": {"attempts": 5, "backoff": "PT0.1S"}}
      """;

  private final BlockingQueue<Instant> calls = new LinkedBlockingQueue<>();
  private final Queue<Reply> replies = new ConcurrentLinkedQueue<>();
  private volatile int otherwise = 200;
  private final HttpServer endpoint;
  private final Running server;

  private record Reply(int status, Supplier<String> retryAfter) {}

  HttpServingTest(PostgresServer postgres, @TempDir Path folder) throws IOException {
    endpoint = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    endpoint.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          calls.add(Instant.now());
          Reply reply = replies.poll();
          if (reply != null) {
            exchange.getResponseHeaders().set("Retry-After", reply.retryAfter().get());
          }
          exchange.sendResponseHeaders(reply == null ? otherwise : reply.status(), -1);
          exchange.close();
        });
    endpoint.start();
    server = new Running(postgres, folder, Map.of("allowed-hosts", "127.0.0.1"));
  }

  @AfterEach
  void close() {
    server.close();
    endpoint.stop(0);
  }

  private String address(String path) {
    return "http://127.0.0.1:%s%s".formatted(endpoint.getAddress().getPort(), path);
  }

  private void define(String label, String type, String path) {
    server.put(
        "/targets/" + label, "{\"type\": \"%s\", \"url\": \"%s\"}".formatted(type, address(path)));
  }

  private JsonNode paused(String key) {
    return server.once(
        "/schedules/" + key, found -> found.path("status").asText().equals("paused"));
  }

  private JsonNode pauses(String key) {
    return server.get("/audit?action=schedule.paused&schedule=" + key).path("items");
  }

  @Test
  void an_endpoint_that_is_gone_pauses_the_schedule_and_says_why() throws Exception {
    define("hook", "http", "/bell?key=hidden");
    otherwise = 410;
    server.put("/schedules/bell", OFTEN.formatted("hook"));
    JsonNode bell = paused("bell");
    String reason = "POST " + address("/bell") + " answered 410: it wants no more messages";

    assertThat(bell.path("pauseReason").asText()).isEqualTo(reason);
    assertThat(bell.path("pausedUntil").isNull()).isTrue();
    assertThat(bell.path("next")).isEmpty();
    assertThat(bell.path("updatedBy").asText()).isEqualTo("target hook");
    assertThat(pauses("bell")).hasSize(1);
    assertThat(pauses("bell").at("/0/actor").asText()).isEqualTo("target hook");
    assertThat(pauses("bell").at("/0/details/reason").asText()).isEqualTo(reason);
    JsonNode runs = // the schedule is paused first
        server
            .once("/runs?schedule=bell&state=failed", found -> !found.path("items").isEmpty())
            .path("items");
    assertThat(runs)
        .allSatisfy(run -> assertThat(run.at("/failure/code").asText()).isEqualTo("gone"))
        .allSatisfy(run -> assertThat(run.path("attempt").asInt()).isEqualTo(1));

    otherwise = 200;
    server.send(Running.TOKEN, "POST", "/schedules/bell/resume", "");
    server.once("/runs?schedule=bell&state=succeeded", found -> !found.path("items").isEmpty());
  }

  @Test
  void the_longest_names_and_addresses_do_not_keep_a_schedule_from_being_paused() {
    String label = "x".repeat(200);
    define(label, "http", "/" + "y".repeat(1_900));
    otherwise = 410;
    server.put("/schedules/bell", OFTEN.formatted(label));

    assertThat(paused("bell").path("pauseReason").asText()).contains("…", "answered 410");
    assertThat(pauses("bell").at("/0/actor").asText()).isEqualTo(label);
  }

  @Test
  void an_executor_that_is_gone_pauses_the_schedule_of_the_trigger() {
    define("workflow", "workflow", "/run");
    otherwise = 410;
    server.put(
        "/workflows/report/versions/1",
        """
        {"triggers": [{"id": "often", "type": "schedule_based", "cron_expr": "* * * * * *",
                       "user_id": "ada"}]}
        """);
    String key = "workflow:report:often";

    assertThat(paused(key).path("pauseReason").asText())
        .isEqualTo("POST " + address("/run") + " answered 410: it wants no more messages");
    assertThat(pauses(key)).hasSize(1);
    assertThat(pauses(key).at("/0/actor").asText()).isEqualTo("target workflow");
    assertThat(
            server.get("/runs?state=failed&schedule=" + key).at("/items/0/failure/code").asText())
        .isEqualTo("gone");
  }

  @Test
  void an_endpoint_that_asks_for_time_is_given_it() throws Exception {
    define("hook", "http", "/");
    replies.add(new Reply(429, () -> "2"));
    replies.add(new Reply(503, () -> "1"));
    server.put("/schedules/bell", NOW.formatted("hook"));
    Instant first = calls.take();
    Instant second = calls.take();
    Instant third = calls.take();

    assertThat(Duration.between(first, second))
        .isBetween(Duration.ofSeconds(2), Duration.ofSeconds(20));
    assertThat(Duration.between(second, third))
        .isBetween(Duration.ofSeconds(1), Duration.ofSeconds(20));
    JsonNode run =
        server
            .once("/runs?schedule=bell&state=succeeded", found -> !found.path("items").isEmpty())
            .at("/items/0");
    assertThat(run.path("attempt").asInt()).isEqualTo(3);
    JsonNode attempts = server.get("/runs/" + run.path("id").asText()).path("attempts");
    assertThat(attempts.at("/0/failure/code").asText()).isEqualTo("http_429");
    assertThat(attempts.at("/1/failure/code").asText()).isEqualTo("http_503");
    assertThat(attempts.at("/2/state").asText()).isEqualTo("succeeded");
  }

  @Test
  void a_date_is_waited_for_as_well() throws Exception {
    define("hook", "http", "/");
    var until = new LinkedBlockingQueue<Instant>();
    replies.add(
        new Reply(
            503,
            () -> {
              Instant date = Instant.now().plusSeconds(3).truncatedTo(ChronoUnit.SECONDS);
              until.add(date);
              return DateTimeFormatter.RFC_1123_DATE_TIME.format(date.atOffset(ZoneOffset.UTC));
            }));
    server.put("/schedules/bell", NOW.formatted("hook"));
    calls.take();
    Instant date = until.take();

    assertThat(calls.take()).isBetween(date, date.plusSeconds(20));
  }

  @Test
  void an_executor_that_asks_for_time_is_given_it() throws Exception {
    define("flows", "workflow", "/run");
    replies.add(new Reply(503, () -> "2"));
    server.put("/workflows/report/versions/1", "{\"nodes\": []}");
    server.put(
        "/schedules/bell",
        """
        {"target": "flows", "payload": {"workflow_id": "report", "user_id": "ada"},
         "timing": {"in": "PT1S"}, "retry": {"attempts": 2, "backoff": "PT0.1S"}}
        """);
    Instant first = calls.take();

    assertThat(Duration.between(first, calls.take()))
        .isBetween(Duration.ofSeconds(2), Duration.ofSeconds(20));
  }
}
