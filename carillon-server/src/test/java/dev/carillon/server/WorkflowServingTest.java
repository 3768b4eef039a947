package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.carillon.fixture.Await;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The whole way of a workflow: deployed, fired, executed elsewhere, reported on. */
@ExtendWith(EmbeddedPostgres.class)
@Timeout(120)
class WorkflowServingTest {
  private final BlockingQueue<HttpExchange> calls = new LinkedBlockingQueue<>();
  private final Map<HttpExchange, String> bodies = new ConcurrentHashMap<>();
  private final HttpServer executor;
  private final Served server;

  WorkflowServingTest(PostgresServer postgres, @TempDir Path folder) throws IOException {
    executor = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    executor.createContext(
        "/",
        exchange -> {
          bodies.put(
              exchange,
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
          calls.add(exchange);
        });
    executor.start();
    server =
        Served.start(Served.freshDatabase(postgres), folder, Map.of("allowed-hosts", "127.0.0.1"));
  }

  @BeforeEach
  void name_the_executor() throws Exception {
    send(
        "PUT",
        "/targets/workflow",
        """
        {"type": "workflow", "url": "http://127.0.0.1:%s/run", "timeout": "PT2S"}
        """
            .formatted(executor.getAddress().getPort()));
  }

  @AfterEach
  void stop() {
    server.close();
    executor.stop(0);
  }

  private JsonNode send(String method, String path, String body) throws Exception {
    return server.ask(method, "/api/v1" + path, body);
  }

  private JsonNode run(String id) throws Exception {
    return send("GET", "/runs/" + id, "");
  }

  private JsonNode once(String id, String state) throws Exception {
    JsonNode run;
    do {
      run = run(id);
    } while (!run.path("state").asText().equals(state));
    return run;
  }

  private HttpExchange call() throws InterruptedException {
    return Optional.ofNullable(calls.poll(60, TimeUnit.SECONDS)).orElseThrow();
  }

  private String runId(HttpExchange call) {
    return Answer.parse(bodies.getOrDefault(call, "{}")).at("/context/run_id").asText();
  }

  private static void answer(HttpExchange call, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    call.sendResponseHeaders(status, bytes.length);
    call.getResponseBody().write(bytes);
    call.close();
  }

  private void deploy() throws Exception {
    JsonNode deployed =
        send(
            "PUT",
            "/workflows/report/versions/3",
            """
            {"triggers": [{"id": "often", "type": "schedule_based", "cron_expr": "* * * * * *",
                           "user_id": "ada", "input": {"reportType": "monthly_summary"}}],
             "nodes": [{"id": "send"}]}
            """);
    assertThat(deployed.at("/schedules/0/key").asText()).isEqualTo("workflow:report:often");
  }

  @Test
  void a_schedule_fires_an_executor_runs_it_and_its_reports_make_the_history() throws Exception {
    deploy();
    HttpExchange first = call();
    JsonNode sent = Answer.parse(bodies.getOrDefault(first, "{}"));
    assertThat(sent.at("/dag/nodes/0/id").asText()).isEqualTo("send");
    assertThat(sent.at("/context/source").asText()).isEqualTo("schedule");
    assertThat(sent.at("/context/user_id").asText()).isEqualTo("ada");
    assertThat(sent.at("/input/reportType").asText()).isEqualTo("monthly_summary");
    String id = runId(first);
    assertThat(run(id).path("slot")).isEqualTo(sent.at("/context/scheduled_for"));

    answer(first, 202, "{\"run_id\": \"x-1\"}");
    Await.until("an external id", () -> !run(id).path("externalId").isNull());
    send("POST", "/runs/" + id + "/status", "{\"status\": \"started\", \"externalId\": \"x-2\"}");
    assertThat(run(id).path("state").asText()).isEqualTo("running");
    assertThat(run(id).path("externalId").asText()).isEqualTo("x-2");
    send("POST", "/runs/" + id + "/status", "{\"status\": \"succeeded\"}");
    assertThat(once(id, "succeeded").path("schedule").asText()).isEqualTo("workflow:report:often");

    HttpExchange second = call();
    answer(second, 200, "{}");
    send(
        "POST",
        "/runs/" + runId(second) + "/status",
        "{\"status\": \"failed\", \"failure\": {\"code\": \"step_failed\", \"message\": \"send\"}}");
    assertThat(once(runId(second), "failed").at("/failure/code").asText()).isEqualTo("step_failed");
  }

  @Test
  void an_executor_that_answers_wrongly_or_not_at_all_fails_the_run() throws Exception {
    deploy();
    HttpExchange refused = call();
    answer(refused, 400, "no such graph");
    assertThat(once(runId(refused), "failed").at("/failure/code").asText()).isEqualTo("http_400");

    HttpExchange silent = call();
    JsonNode run = once(runId(silent), "failed");
    assertThat(run.at("/failure/code").asText()).isEqualTo("no_answer");
    assertThat(calls.stream().filter(call -> runId(call).equals(runId(silent)))).hasSize(2);
  }

  @Test
  void an_executor_that_is_slow_is_waited_for() throws Exception {
    deploy();
    HttpExchange slow = call();
    String id = runId(slow);
    long begun = System.nanoTime();
    while (System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(1)) {
      assertThat(run(id).path("state").asText()).isEqualTo("running");
    }
    answer(slow, 202, "");
    send("POST", "/runs/" + id + "/status", "{\"status\": \"succeeded\"}");

    assertThat(once(id, "succeeded").path("attempt").asInt()).isEqualTo(1);
  }
}
