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
import java.util.HashMap;
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

/** The executor of workflows as a setting: on this machine, and reached by no other target. */
@ExtendWith(EmbeddedPostgres.class)
@Timeout(120)
class ExecutorServingTest {
  private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  private final PostgresServer postgres;
  private final Path folder;
  private final HttpServer executor;
  private final BlockingQueue<JsonNode> bodies = new LinkedBlockingQueue<>();
  private volatile int status = 200;
  private volatile String signature = "";
  private Optional<Served> server = Optional.empty();

  ExecutorServingTest(PostgresServer postgres, @TempDir Path folder) throws IOException {
    this.postgres = postgres;
    this.folder = folder;
    executor = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    executor.createContext(
        "/",
        exchange -> {
          byte[] body = exchange.getRequestBody().readAllBytes();
          signature =
              Optional.ofNullable(exchange.getRequestHeaders().getFirst("webhook-signature"))
                  .orElse("");
          exchange.getResponseHeaders().set("Location", url() + "/elsewhere");
          byte[] answer = "{\"run_id\": \"x-1\"}".getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(status, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
          bodies.add(Answer.parse(new String(body, StandardCharsets.UTF_8)));
        });
    executor.start();
  }

  @AfterEach
  void stop() {
    server.ifPresent(Served::close);
    executor.stop(0);
  }

  private String url() {
    return "http://localhost:" + executor.getAddress().getPort();
  }

  private void start(Map<String, String> flags) {
    var all = new HashMap<String, String>(Map.of("executor-url", url() + "/run"));
    all.putAll(flags);
    server =
        Optional.of(
            Served.start(
                Served.freshDatabase(postgres),
                folder,
                all,
                Map.of("CARILLON_EXECUTOR_SECRET", SECRET),
                line -> {}));
  }

  private JsonNode send(String method, String path, String body) throws Exception {
    return server.orElseThrow().ask(method, path, body);
  }

  private JsonNode launched() throws Exception {
    send("PUT", "/api/v1/workflows/report/versions/1", "{\"nodes\": [{\"id\": \"a\"}]}");
    return send(
        "POST",
        "/run-launcher/start",
        """
        {"workflow_id": "report", "version": 1, "user_id": "ada",
         "scheduled_for": "2026-01-01T02:00:00Z", "idempotency_key": "once"}
        """);
  }

  private JsonNode once(String id, String state) throws Exception {
    JsonNode run;
    do {
      run = send("GET", "/api/v1/runs/" + id, "");
    } while (!run.path("state").asText().equals(state));
    return run;
  }

  private JsonNode body() throws InterruptedException {
    return Optional.ofNullable(bodies.poll(60, TimeUnit.SECONDS)).orElseThrow();
  }

  @Test
  void an_executor_on_this_machine_is_called_and_what_it_accepts_is_done() throws Exception {
    start(Map.of());
    JsonNode launched = launched();
    JsonNode sent = body();
    JsonNode run = once(launched.path("run").asText(), "succeeded");

    assertThat(launched.has("warnings")).isFalse();
    assertThat(sent.at("/dag/nodes/0/id").asText()).isEqualTo("a");
    assertThat(sent.at("/context/idempotency_key").asText()).isEqualTo("once");
    assertThat(signature).startsWith("v1,");
    assertThat(run.path("externalId").asText()).isEqualTo("x-1");
  }

  @Test
  void an_executor_that_reports_is_waited_for_as_long_as_is_set() throws Exception {
    start(Map.of("executor-completion", "reported", "report-timeout", "2s"));
    String id = launched().path("run").asText();
    body();
    JsonNode failed = once(id, "failed");

    assertThat(failed.at("/failure/code").asText()).isEqualTo("timeout");
    assertThat(failed.at("/failure/message").asText()).contains("nobody reported");
    assertThat(failed.at("/durationMs").asLong()).isBetween(1_900L, 60_000L);
  }

  @Test
  void a_report_ends_a_run_of_an_executor_that_reports() throws Exception {
    start(Map.of("executor-completion", "reported"));
    String id = launched().path("run").asText();
    body();
    send("POST", "/api/v1/runs/" + id + "/status", "{\"status\": \"succeeded\"}");

    assertThat(once(id, "succeeded").path("attempt").asInt()).isEqualTo(1);
  }

  @Test
  void a_timeout_of_a_workflow_instance_is_sent_to_the_executor() throws Exception {
    start(Map.of());
    JsonNode made =
        send(
            "POST",
            "/api/v1/workflow-instances/i-7/timeouts",
            "{\"timeout\": \"PT0.1S\", \"handlerStep\": \"late\"}");
    JsonNode sent = body();

    assertThat(sent.at("/payload/instanceId").asText()).isEqualTo("i-7");
    assertThat(sent.at("/payload/timeoutHandlerStepId").asText()).isEqualTo("late");
    assertThat(once(made.path("id").asText(), "succeeded").path("attempt").asInt()).isEqualTo(1);
  }

  @Test
  void no_other_target_may_call_the_address_of_the_executor() throws Exception {
    start(Map.of());
    launched();
    body(); // so that a connection to it is open
    send("PUT", "/api/v1/targets/spy", "{\"type\": \"http\", \"url\": \"%s/x\"}".formatted(url()));
    String spied = send("POST", "/api/v1/runs", "{\"target\": \"spy\"}").path("id").asText();
    send(
        "PUT",
        "/api/v1/targets/sly",
        "{\"type\": \"workflow\", \"url\": \"%s/x\"}".formatted(url()));
    String sly =
        send(
                "POST",
                "/api/v1/runs",
                """
                {"target": "sly", "payload": {"workflow_id": "report", "user_id": "eve"}}
                """)
            .path("id")
            .asText();

    assertThat(once(spied, "failed").at("/failure/code").asText()).isEqualTo("address_refused");
    assertThat(once(sly, "failed").at("/failure/code").asText()).isEqualTo("address_refused");
    assertThat(bodies).isEmpty();
  }

  @Test
  void a_target_defined_under_the_label_is_not_let_inside() throws Exception {
    start(Map.of());
    send(
        "PUT",
        "/api/v1/targets/workflow",
        "{\"type\": \"workflow\", \"url\": \"%s/x\"}".formatted(url()));
    JsonNode run = once(launched().path("run").asText(), "failed");

    assertThat(run.at("/failure/code").asText()).isEqualTo("address_refused");
    assertThat(bodies).isEmpty();
  }

  @Test
  void another_port_of_the_same_host_is_not_reached_by_a_redirect() throws Exception {
    status = 302;
    start(Map.of());
    JsonNode run = once(launched().path("run").asText(), "failed");

    assertThat(run.at("/failure/code").asText()).isEqualTo("redirect");
    assertThat(bodies).hasSize(1);
  }

  @Test
  void a_workflow_target_says_itself_when_its_runs_are_done() throws Exception {
    start(Map.of("allowed-hosts", "localhost"));
    JsonNode put =
        send(
            "PUT",
            "/api/v1/targets/workflow",
            """
            {"type": "workflow", "url": "%s/run", "completion": "accepted", "reportTimeout": "PT1H"}
            """
                .formatted(url()));
    JsonNode run = once(launched().path("run").asText(), "succeeded");

    assertThat(put.path("completion").asText()).isEqualTo("accepted");
    assertThat(put.path("reportTimeout").asText()).isEqualTo("PT1H");
    assertThat(run.path("externalId").asText()).isEqualTo("x-1");
  }

  @Test
  void how_long_a_report_is_waited_for_is_a_field_of_the_target() throws Exception {
    start(Map.of("allowed-hosts", "localhost"));
    send(
        "PUT",
        "/api/v1/targets/workflow",
        """
        {"type": "workflow", "url": "%s/run", "completion": "reported", "reportTimeout": "PT2S"}
        """
            .formatted(url()));
    JsonNode run = once(launched().path("run").asText(), "failed");

    assertThat(run.at("/failure/code").asText()).isEqualTo("timeout");
  }
}
