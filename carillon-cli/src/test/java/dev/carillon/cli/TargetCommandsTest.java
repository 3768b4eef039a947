package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.remote.ScriptedServer;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Targets from the command line and from files, against a real server and a real endpoint. */
@ExtendWith(EmbeddedPostgres.class)
@Timeout(120)
class TargetCommandsTest {
  private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  private final PostgresServer postgres;
  private final Path folder;
  private RealServer server;

  TargetCommandsTest(PostgresServer postgres, @TempDir Path folder) {
    this.postgres = postgres;
    this.folder = folder;
    server =
        new RealServer(
            postgres,
            postgres.createMigrated(),
            folder,
            Map.of("allowed-hosts", "127.0.0.1,10.0.0.0/8"));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void an_inside_address_is_warned_of_at_once_and_the_setting_is_named() throws Exception {
    server.close();
    server = new RealServer(postgres, postgres.createMigrated(), folder, Map.of());
    String cure = "serve --allowed-hosts localhost)";

    Answer put = server.run("target put hook --url http://localhost:9/x");

    assertThat(put.code()).isZero();
    assertThat(put.out()).isEqualTo("target hook (http) is saved\n");
    assertThat(put.err())
        .startsWith("carillon: warning: localhost leads to ")
        .contains("a loopback address", cure);
    Answer test = server.run("target test hook");
    assertThat(test.code()).isEqualTo(1);
    assertThat(test.out()).startsWith("hook: failed, a run would fail\n").contains(cure);
    server.write("t.yaml", "kind: target\nlabel: hook2\ntype: http\nurl: http://localhost:9/x\n");
    assertThat(server.ok("schedule apply -f t.yaml --dry-run"))
        .startsWith("create    target hook2\n            warning: localhost leads to ");
  }

  @Test
  void a_test_is_one_signed_message_that_is_no_run() throws Exception {
    try (var endpoint = new ScriptedServer()) {
      endpoint.on("POST /hook", 200, "").on("POST /hook", 503, "oh no");
      server.ok("target put hook --url " + endpoint.url() + "/hook --secret " + SECRET);

      assertThat(server.ok("target test hook --payload {\"a\":1}"))
          .startsWith("hook: succeeded, a run would succeed\n  status  200\n  took    ");
      assertThat(endpoint.asked()).hasSize(1);
      JsonNode message = Json.read(endpoint.asked().get(0).body());
      assertThat(message.path("type").asText()).isEqualTo("schedule.test");
      assertThat(message.path("payload")).hasToString("{\"a\":1}");
      assertThat(endpoint.asked().get(0).header("Webhook-signature")).startsWith("v1,");

      Answer failed = server.run("target test hook");
      assertThat(failed.code()).isEqualTo(1);
      assertThat(failed.out())
          .startsWith("hook: failed, a run would fail, and may be tried again\n  status   503\n")
          .contains("http_503", "oh no");
    }
    Answer gone = server.run("target test hook");
    assertThat(gone.code()).isEqualTo(1);
    assertThat(gone.out()).startsWith("hook: failed").doesNotContain("status");
    assertThat(server.ok("target test log")).contains("a line was written to the log");
    assertThat(server.ok("target test noop")).startsWith("noop: succeeded");
    server.ok("target put w --type worker");
    assertThat(server.ok("target test w")).startsWith("w: not tested, workers fetch the runs");
    assertThat(server.run("target test workflow").out()).contains("executor_unknown");
    assertThat(server.run("target test nobody").code()).isEqualTo(3);
    assertThat(server.json("run list")).isEmpty();
  }

  @Test
  void a_target_keeps_its_secret_until_it_gets_another_or_none() {
    server.ok("target put hook --url http://10.0.0.1/a --secret " + SECRET);
    server.ok("target put hook --url http://10.0.0.1/b --timeout 5s");
    assertThat(server.ok("target get hook"))
        .startsWith("hook  http\n\n")
        .contains("url             http://10.0.0.1/b\n", "timeout         5s\n")
        .contains("max concurrent  100\n", "signed          yes\n")
        .doesNotContain(SECRET);

    server.ok("target put hook --url http://10.0.0.1/b --no-secret");
    assertThat(server.ok("target get hook")).contains("signed          no\n");
    assertThat(server.run("target get nobody").err())
        .isEqualTo("carillon: There is no such target; 'carillon target list' lists them.\n");
  }

  @Test
  void targets_are_applied_before_the_schedules_that_need_them() throws Exception {
    server.write("secrets/hook.txt", SECRET + "\n");
    server.write(
        "all.yaml",
        """
        targets:
        - label: hook
          type: http
          url: http://10.0.0.1/a
          secret: ${HOOK_SECRET}
          headers: {Authorization: "Bearer ${HOOK_TOKEN}"}
        - {label: other, type: http, url: http://10.0.0.2, secretFile: secrets/hook.txt}
        schedules:
        - {key: nightly, target: hook, timing: {every: 1h}}
        ---
        key: more
        target: other
        timing: {every: 2h}
        """);

    Answer unset = server.run("schedule apply -f all.yaml");
    assertThat(unset.code()).isEqualTo(2);
    assertThat(unset.err())
        .isEqualTo(
            "carillon: all.yaml:5 (document 1, secret): the variable HOOK_SECRET is not set\n");

    Map<String, String> variables = new HashMap<>(server.environment().environment());
    variables.put("HOOK_SECRET", SECRET);
    variables.put("HOOK_TOKEN", "token-0123456789");
    String plan =
        """
        create    target hook
        create    target other
        create    nightly
        create    more
        Plan: 4 to create, 0 to change, 0 to retire, 0 unchanged.
        """;
    Answer dry = run(variables, "schedule", "apply", "-f", "all.yaml", "--dry-run");
    assertThat(dry).isEqualTo(new Answer(0, plan, ""));
    assertThat(server.run("target get hook").code()).isEqualTo(3);
    assertThat(run(variables, "schedule", "apply", "-f", "all.yaml"))
        .isEqualTo(new Answer(0, plan + "Applied.\n", ""));
    assertThat(run(variables, "schedule", "apply", "-f", "all.yaml").out())
        .isEqualTo("Plan: 0 to create, 0 to change, 0 to retire, 4 unchanged.\n");

    String another = SECRET.replace("Mf", "Xf");
    variables.put("HOOK_SECRET", another);
    Answer changed = run(variables, "schedule", "diff", "-f", "all.yaml", "-o", "json");
    assertThat(changed.out()).contains("\"change\"", "(hidden, another)");
    assertThat(changed.toString() + dry + unset)
        .doesNotContain(SECRET, another, "token-0123456789");
  }

  @Test
  void what_is_wrong_with_a_target_in_a_file_is_told_with_its_line() throws Exception {
    server.write("a.yaml", "kind: target\nlabel: hook\ntype: http\nurl: ftp://x\n");
    server.write("b.yaml", "kind: almanac\nkey: x\n");
    server.write("c.yaml", "targets: []\nkey: x\n");
    server.write("d.yaml", "kind: target\ntype: noop\n");

    assertThat(server.run("schedule apply -f a.yaml").err())
        .contains("nothing was changed: 1 mistake", "a.yaml:4 (document 1, url): ");
    assertThat(server.run("schedule apply -f b.yaml").err()).contains("there is no kind 'almanac'");
    assertThat(server.run("schedule apply -f c.yaml").err()).contains("move 'key' into");
    assertThat(server.run("schedule apply -f d.yaml").err()).contains("'label' is missing");
  }

  private Answer run(Map<String, String> variables, String... words) {
    return Answer.in(server.around(variables), words);
  }
}
