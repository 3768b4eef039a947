package dev.carillon.cli;

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
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Templates by commands and in files, against a real server and a real endpoint. */
@ExtendWith(EmbeddedPostgres.class)
class TemplateCommandsTest {
  private final List<String> received = new CopyOnWriteArrayList<>();
  private final HttpServer endpoint;
  private final RealServer server;

  TemplateCommandsTest(PostgresServer postgres, @TempDir Path folder) throws IOException {
    endpoint = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    endpoint.createContext(
        "/",
        exchange -> {
          String body =
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          received.add(exchange.getRequestHeaders().getFirst("X-For") + " " + body);
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    endpoint.start();
    server =
        new RealServer(
            postgres, postgres.createMigrated(), folder, Map.of("allowed-hosts", "127.0.0.1"));
  }

  @AfterEach
  void stop() {
    server.close();
    endpoint.stop(0);
  }

  @Test
  void a_schedule_with_a_template_is_created_edited_and_refused() throws Exception {
    server.ok(
        "schedule create dated --target noop --in P1D --template true --payload"
            + " {\"day\":\"${slot-1d:yyyy-MM-dd}\"}");
    assertThat(server.json("schedule get dated").path("template").asBoolean()).isTrue();

    Answer refused = server.run("schedule edit dated --set payload.day=${slott}");
    assertThat(refused.code()).isNotZero();
    assertThat(refused.err()).contains("--payload (day): at character 1", "'slott'");

    server.ok("schedule edit dated --template false --set payload.day=${slott}");
    assertThat(server.json("schedule get dated").at("/payload/day").asText()).isEqualTo("${slott}");
  }

  @Test
  void a_run_without_a_schedule_has_a_template_with_dates_in_the_zone() throws Exception {
    JsonNode run =
        server.json(
            "run start noop --at 2026-03-05T23:30:00Z --template true --zone Europe/Rome --payload"
                + " {\"day\":\"${slot:yyyy-MM-dd}\"}");
    JsonNode shown = server.json("run show " + run.get("id").asText());
    assertThat(shown.at("/expandedPayload/day").asText()).isEqualTo("2026-03-06");

    Answer refused =
        server.run("run start noop --template true --payload {\"a\":\"${payload.b}\"}");
    assertThat(refused.code()).isNotZero();
    assertThat(refused.err()).contains("--payload (a): at character 1", "no 'payload.b'");

    JsonNode plain = server.json("run start noop --payload {\"a\":\"${payload.b}\"}");
    assertThat(plain.at("/payload/a").asText()).isEqualTo("${payload.b}");
  }

  @Test
  void files_with_templates_are_applied_and_applying_them_again_changes_nothing() throws Exception {
    server.write(
        "all.yaml",
        """
        key: dated
        target: noop
        timing: {cron: 0 2 * * *, zone: Europe/Rome}
        template: true
        payload: {day: "${slot-1d:yyyy-MM-dd}", file: "report-${payload.day}.csv"}
        """);
    server.ok("schedule apply -f all.yaml");

    JsonNode again = server.json("schedule apply -f all.yaml");
    assertThat(again.at("/plan/0/action").asText()).isEqualTo("unchanged");

    server.write(
        "wrong.yaml",
        """
        key: wrong
        target: noop
        timing: {every: 1h}
        template: true
        payload: {file: "report-${payload.day}.csv"}
        """);
    Answer refused = server.run("schedule apply -f wrong.yaml");
    assertThat(refused.code()).isNotZero();
    assertThat(refused.err()).contains("wrong.yaml:5", "payload.file", "no 'payload.day'");
  }

  @Test
  void a_target_has_headers_and_a_body_that_are_filled_in() {
    server.ok(
        "target put hook --url http://127.0.0.1:%s/ --template --header X-For=a-${payload.x} --body {\"n\":\"${payload.x}\"}"
            .formatted(endpoint.getAddress().getPort()));
    server.ok("target test hook --payload {\"x\":5}");

    assertThat(received).containsExactly("a-5 {\"n\":5}");
  }

  @Test
  void in_files_headers_have_variables_beside_placeholders() throws Exception {
    server.write(
        "all.yaml",
        """
        targets:
        - label: hook
          type: http
          url: http://127.0.0.1:%s/
          template: true
          headers: {X-For: "${HOOK_TOKEN}{${payload.x} $${HOOK_TOKEN}"}
          body: "${payload.x}"
        """
            .formatted(endpoint.getAddress().getPort()));
    Map<String, String> variables = new HashMap<>(server.environment().environment());
    variables.put("HOOK_TOKEN", "s3cret-${slot}-$");
    Answer applied = Answer.in(server.around(variables), "schedule", "apply", "-f", "all.yaml");
    assertThat(applied.code()).as(applied.toString()).isZero();
    server.ok("target test hook --payload {\"x\":5}");

    assertThat(received).containsExactly("s3cret-${slot}-${5 ${HOOK_TOKEN} 5");
  }
}
