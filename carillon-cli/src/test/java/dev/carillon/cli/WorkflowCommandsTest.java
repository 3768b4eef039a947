package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** {@code carillon workflow …} against a real server. */
@ExtendWith(EmbeddedPostgres.class)
class WorkflowCommandsTest {
  private static final String NIGHTLY =
      """
      {"user_id": "ada", "nodes": [{"id": "send"}], "triggers": [
        {"id": "nightly", "type": "schedule_based", "cron_expr": "0 2 * * *"},
        {"id": "hourly", "type": "schedule_based", "cron_expr": "0 * * * *"}]}
      """;
  private static final String WEEKLY =
      """
      user_id: ada
      nodes: [{id: send}]
      triggers:
      - id: nightly
        type: schedule_based
        cron_expr: 0 3 * * *
      - id: weekly
        type: schedule_based
        cron_expr: 0 2 * * MON
      """;

  private final RealServer server;

  WorkflowCommandsTest(PostgresServer postgres, @TempDir Path folder) {
    server = new RealServer(postgres, postgres.createMigrated(), folder, Map.of());
  }

  @BeforeEach
  void define() throws Exception {
    server.ok("target put workflow --type workflow --url https://executor.example/run");
    server.write("report.json", NIGHTLY);
    server.write("report.yaml", WEEKLY);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void without_an_executor_a_workflow_is_deployed_and_it_is_said_what_to_set() throws Exception {
    server.ok("target delete workflow");
    Answer deployed = server.run("workflow deploy report --version 1 -f report.json");

    assertThat(deployed.code()).isZero();
    assertThat(deployed.out()).startsWith("workflow report version 1 is deployed");
    assertThat(deployed.err()).contains("warning: no executor is known", "--executor-url");
  }

  @Test
  void a_graph_in_json_or_yaml_is_deployed_and_what_becomes_of_its_schedules_is_told()
      throws Exception {
    assertThat(server.ok("workflow deploy report --version 1 -f report.json"))
        .isEqualTo(
            """
            workflow report version 1 is deployed
              created    workflow:report:hourly
              created    workflow:report:nightly
            """);
    assertThat(server.ok("workflow deploy report --version 1 -f report.json"))
        .contains("unchanged  workflow:report:nightly", "unchanged  workflow:report:hourly");
    assertThat(server.ok("workflow deploy report --version 2 -f report.yaml"))
        .contains("workflow:report:nightly", "created    workflow:report:weekly", "retired");

    assertThat(server.json("schedule get workflow:report:nightly").at("/timing/cron").asText())
        .isEqualTo("0 3 * * *");
    assertThat(server.json("schedule get workflow:report:hourly").path("status").asText())
        .isEqualTo("retired");
  }

  @Test
  void workflows_are_listed_shown_and_deleted() throws Exception {
    server.ok("workflow deploy report --version 1 -f report.json");
    server.ok("workflow deploy report --version 2 -f report.yaml");

    assertThat(server.ok("workflow list")).contains("report", "VERSION");
    assertThat(server.json("workflow list").at("/0/version").asInt()).isEqualTo(2);
    assertThat(server.ok("workflow get report").lines()).hasSize(3);
    String graph = server.ok("workflow get report --version 1");
    server.write("again.json", graph);
    assertThat(server.ok("workflow deploy report --version 1 -f again.json"))
        .contains("version 1 is deployed");

    assertThat(server.ok("workflow delete report --version 2"))
        .contains("workflow report version 2 is deleted", "workflow:report:hourly");
    assertThat(server.json("schedule get workflow:report:nightly").at("/timing/cron").asText())
        .isEqualTo("0 2 * * *");
    assertThat(server.ok("workflow delete report"))
        .contains("workflow report is deleted", "retired    workflow:report:nightly");
    assertThat(server.json("workflow list")).isEmpty();
  }

  @Test
  void mistakes_are_told_with_their_line_and_end_with_the_codes_of_the_page() throws Exception {
    server.write("bad.yaml", WEEKLY.replace("0 2 * * MON", "0 2 * * FRY"));

    Answer refused = server.run("workflow deploy report --version 1 -f bad.yaml");

    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err())
        .startsWith(
            "carillon: nothing was changed\n  bad.yaml:9 (document 1, triggers.1.cron_expr)")
        .contains("FRY");
    assertThat(server.run("workflow get report").code()).isEqualTo(3);
    assertThat(server.run("workflow delete report").code()).isEqualTo(3);
    assertThat(server.run("workflow deploy report --version 1 -f none.json").code()).isEqualTo(2);
    assertThat(server.run("workflow deploy report --version 0 -f report.json").code()).isIn(2, 3);
    Answer nobody =
        Answer.in(server.around(Map.of("CARILLON_SERVER", server.url())), "workflow", "list");
    assertThat(nobody.code()).isEqualTo(4);
  }
}
