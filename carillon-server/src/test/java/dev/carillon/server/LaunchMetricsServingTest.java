package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real server whose launches fail in every way, and what it counts; and how long batches took.
 */
@ExtendWith(EmbeddedPostgres.class)
@Timeout(180)
class LaunchMetricsServingTest {
  @Test
  void every_launch_that_fails_is_counted(PostgresServer postgres, @TempDir Path folder)
      throws Exception {
    var loopback = InetAddress.getLoopbackAddress();
    HttpServer refusing = HttpServer.create(new InetSocketAddress(loopback, 0), 0);
    refusing.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(400, -1);
          exchange.close();
        });
    refusing.start();
    try (var silent = new ServerSocket(0, 10, loopback);
        Served server =
            Served.start(
                Served.freshDatabase(postgres), folder, Map.of("allowed-hosts", "127.0.0.1"))) {
      int closed = freePort();
      define(server, "refusing", "workflow", refusing.getAddress().getPort());
      define(server, "absent", "http", closed);
      define(server, "silent", "http", silent.getLocalPort());
      server.ask("PUT", "/api/v1/workflows/w/versions/1", "{\"nodes\": []}");

      failed(server, "refusing", "{\"workflow_id\": \"w\"}", "http_400");
      failed(server, "refusing", "{\"workflow_id\": \"none\"}", "workflow_unknown");
      failed(server, "refusing", "{}", "payload_unusable");
      failed(server, "absent", "{}", "no_connection");
      failed(server, "silent", "{}", "no_answer");

      String metrics = server.send(server.token(), "GET", "/metrics", "").body();
      assertThat(metrics.lines())
          .contains(
              "carillon_runs_failed_launch_total{target=\"refusing\"} 3.0",
              "carillon_runs_failed_launch_total{target=\"absent\"} 1.0",
              "carillon_runs_failed_launch_total{target=\"silent\"} 1.0",
              "carillon_run_failures_total{code=\"workflow_unknown\"} 1.0");
      assertThat(metrics.lines())
          .filteredOn(line -> line.startsWith("carillon_batch_seconds_count{step=\"claiming\"}"))
          .singleElement()
          .satisfies(line -> assertThat(line).doesNotEndWith(" 0"));
    } finally {
      refusing.stop(0);
    }
  }

  private static void define(Served server, String label, String type, int port) throws Exception {
    JsonNode made =
        server.ask(
            "PUT",
            "/api/v1/targets/" + label,
            "{\"type\": \"%s\", \"url\": \"http://127.0.0.1:%s/\", \"timeout\": \"PT0.5S\"}"
                .formatted(type, port));
    assertThat(made.path("label").asText()).as("%s", made).isEqualTo(label);
  }

  private static void failed(Served server, String target, String payload, String code)
      throws Exception {
    String id =
        server
            .ask(
                "POST",
                "/api/v1/runs",
                "{\"target\": \"%s\", \"payload\": %s}".formatted(target, payload))
            .path("id")
            .asText();
    JsonNode run;
    do {
      run = server.ask("GET", "/api/v1/runs/" + id, "");
    } while (!run.path("state").asText().equals("failed"));
    assertThat(run.at("/failure/code").asText()).isEqualTo(code);
  }

  /* A port that was free a moment ago. */
  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
