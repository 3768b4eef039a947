package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The whole way of a payload with placeholders to endpoints and executors. */
@ExtendWith(EmbeddedPostgres.class)
@Timeout(120)
class TemplateServingTest {
  private static final ZoneId ZONE = ZoneId.of("Pacific/Kiritimati");

  private final BlockingQueue<Call> calls = new LinkedBlockingQueue<>();
  private final AtomicInteger failures = new AtomicInteger();
  private final HttpServer endpoint;
  private final Running server;

  private record Call(Optional<String> header, JsonNode body) {}

  TemplateServingTest(PostgresServer postgres, @TempDir Path folder) throws IOException {
    endpoint = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    endpoint.createContext(
        "/",
        exchange -> {
          String body =
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          Optional<String> header =
              Optional.ofNullable(exchange.getRequestHeaders().getFirst("X-For"));
          calls.add(new Call(header, Answer.parse(body)));
          exchange.sendResponseHeaders(failures.getAndDecrement() > 0 ? 500 : 200, -1);
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

  private void target(String type, String more) {
    server.put(
        "/targets/hook",
        "{\"type\": \"%s\", \"url\": \"http://127.0.0.1:%s/\"%s}"
            .formatted(type, endpoint.getAddress().getPort(), more));
  }

  private void schedule(boolean template, String payload) {
    server.put(
        "/schedules/often",
        """
        {"target": "hook", "timing": {"cron": "* * * * * *", "zone": "%s"}, "template": %s,
         "payload": %s}
        """
            .formatted(ZONE, template, payload));
  }

  private Call call() throws InterruptedException {
    return Optional.ofNullable(calls.poll(60, TimeUnit.SECONDS)).orElseThrow();
  }

  private static String dayBefore(String slot) {
    return DateTimeFormatter.ISO_LOCAL_DATE.format(Instant.parse(slot).atZone(ZONE).minusDays(1));
  }

  @Test
  void an_endpoint_receives_an_event_with_the_payload_filled_in() throws Exception {
    target("http", "");
    schedule(true, "{\"day\": \"${slot-1d:yyyy-MM-dd}\", \"key\": \"${idempotencyKey}\"}");

    JsonNode event = call().body();
    assertThat(event.at("/payload/day").asText()).isEqualTo(dayBefore(event.get("slot").asText()));
    assertThat(event.at("/payload/key")).isEqualTo(event.get("id"));
  }

  @Test
  void headers_and_body_count_in_the_zone_of_a_schedule_that_is_no_template_itself()
      throws Exception {
    target(
        "http",
        """
        , "template": true, "headers": {"X-For": "${slot-1d:yyyy-MM-dd}"},
          "body": {"slot": "${slot}", "to": "${payload.to}", "raw": "${payload.raw}"}
        """);
    schedule(false, "{\"to\": \"ops\", \"raw\": \"${slot}\"}");

    Call call = call();
    assertThat(call.header()).contains(dayBefore(call.body().get("slot").asText()));
    assertThat(call.body().get("to").asText()).isEqualTo("ops");
    assertThat(call.body().get("raw").asText()).isEqualTo("${slot}");
  }

  @Test
  void an_executor_receives_the_input_of_its_workflow_filled_in() throws Exception {
    target("workflow", "");
    server.put("/workflows/report/versions/1", "{\"nodes\": [{\"id\": \"send\"}]}");
    schedule(
        true,
        """
        {"workflow_id": "report", "input": {"day": "${slot-1d:yyyy-MM-dd}", "try": "${attempt}"}}
        """);

    JsonNode sent = call().body();
    assertThat(sent.at("/input/day").asText())
        .isEqualTo(dayBefore(sent.at("/context/scheduled_for").asText()));
    assertThat(sent.at("/input/try").asInt()).isEqualTo(1);
  }

  private static final String OF_ATTEMPT =
      """
      , "template": true, "headers": {"X-For": "${attempt} of ${run}"},
        "body": {"try": "${attempt}", "key": "${key}", "slot": "${slot}", "due": "${due}",
                 "payload": "${payload}"}
      """;

  private String adHoc(String more) {
    return server
        .post("/runs", "{\"target\": \"hook\", \"template\": true, %s}".formatted(more))
        .get("id")
        .asText();
  }

  private void awaitState(String id, String state) {
    server.once("/runs/" + id, run -> run.get("state").asText().equals(state));
  }

  @Test
  void a_retry_is_sent_with_its_own_attempt_in_headers_body_and_payload() throws Exception {
    failures.set(1);
    target("http", OF_ATTEMPT);
    String id =
        adHoc(
            """
            "payload": {"n": "${attempt}", "text": "try ${payload.n} for ${key}"},
            "retry": {"attempts": 2, "backoff": "PT0.1S"}
            """);

    for (int attempt = 1; attempt <= 2; attempt++) {
      Call call = call();
      assertThat(call.header()).contains(attempt + " of " + id);
      assertThat(call.body().get("try").asInt()).isEqualTo(attempt);
      assertThat(call.body().get("key").isNull()).isTrue();
      assertThat(call.body().at("/payload/n").asInt()).isEqualTo(attempt);
      assertThat(call.body().at("/payload/text").asText()).isEqualTo("try " + attempt + " for ");
    }
    awaitState(id, "succeeded");
  }

  @Test
  void an_event_of_a_run_without_a_schedule_has_its_payload_filled_in_for_each_attempt()
      throws Exception {
    failures.set(1);
    target("http", "");
    String id =
        adHoc(
            """
            "at": "2026-01-01T22:30:00Z", "zone": "Europe/Rome",
            "payload": {"n": "${attempt}", "day": "${slot+1h:yyyy-MM-dd HH:mm}"},
            "retry": {"attempts": 2, "backoff": "PT0.1S"}
            """);

    for (int attempt = 1; attempt <= 2; attempt++) {
      JsonNode event = call().body();
      assertThat(event.get("attempt").asInt()).isEqualTo(attempt);
      assertThat(event.at("/payload/n").asInt()).isEqualTo(attempt);
      assertThat(event.at("/payload/day").asText()).isEqualTo("2026-01-02 00:30");
    }
    awaitState(id, "succeeded");
  }

  @Test
  void what_is_driven_again_is_filled_in_anew_also_with_another_payload() throws Exception {
    failures.set(2);
    target("http", OF_ATTEMPT);
    String id = adHoc("\"payload\": {\"n\": \"${attempt}\"}");
    assertThat(call().body().at("/payload/n").asInt()).isEqualTo(1);
    awaitState(id, "failed");
    server.post("/dead-letters/redrive", "{\"ids\": [\"%s\"]}".formatted(id));
    Call second = call();
    assertThat(second.body().at("/payload/n").asInt()).isEqualTo(2);
    assertThat(second.header()).contains("2 of " + id);
    awaitState(id, "failed");
    server.post(
        "/dead-letters/redrive",
        """
            {"filter": {"target": "hook"}, "expect": 1, "payload": {"m": "<${attempt}>"}}
            """);

    Call third = call();
    assertThat(third.body().at("/payload/m").asText()).isEqualTo("<3>");
    assertThat(third.body().get("try").asInt()).isEqualTo(3);
    assertThat(third.header()).contains("3 of " + id);
  }
}
