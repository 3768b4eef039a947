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
          exchange.sendResponseHeaders(200, -1);
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
}
