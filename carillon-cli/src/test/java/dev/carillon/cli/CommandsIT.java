package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.Environment;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.console.Terminal;
import dev.carillon.fixture.Await;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands against the packaged server, which they find by its data folder. */
class CommandsIT {
  @TempDir static Path folder;

  private static final List<Answer> HEARD = new ArrayList<>();
  private static Program server = Program.start("--version");

  @BeforeAll
  static void serve() throws Exception {
    server =
        Program.start("serve", "--port", "0", "--data", folder.resolve("carillon-data").toString());
    server.url();
  }

  @AfterAll
  static void nobody_said_the_token() throws Exception {
    String token = Files.readString(folder.resolve("carillon-data/admin-token")).strip();
    assertThat(token).startsWith("crl_");
    assertThat(HEARD).isNotEmpty().noneMatch(answer -> answer.toString().contains(token));
    server.close();
  }

  @Test
  void a_schedule_is_created_watched_and_its_runs_are_shown() throws Exception {
    assertThat(
            ok("schedule create hello --target log --every PT1S --payload {\"say\":\"hi\"}").out())
        .startsWith("hello  active  version 1");

    List<String> seen = ok("run watch --schedule hello --count 2 -o json").out().lines().toList();
    assertThat(seen).hasSize(2).allMatch(line -> line.contains("\"schedule\":\"hello\""));
    String id = Json.text(Json.read(seen.get(0)), "/id");

    assertThat(ok("run watch " + id).out()).contains("succeeded", id);
    assertThat(ok("run show " + id).out()).contains("hello", "{\"say\":\"hi\"}");
    assertThat(ok("run list --schedule hello --state succeeded").out()).contains(id);
    assertThat(ok("schedule list").out()).contains("hello", "every 1s");
    ok("schedule delete hello");
    assertThat(json("schedule get hello").path("status").asText()).isEqualTo("retired");
  }

  @Test
  void the_real_program_finds_the_server_and_ends_with_the_exit_codes_of_the_page()
      throws Exception {
    String data = folder.resolve("carillon-data").toString();
    Map<String, String> here = Map.of("CARILLON_DATA", data);

    assertThat(Program.start(here, "schedule", "list").exitCode()).isZero();
    assertThat(Program.start(here, "schedule", "get", "nobody").exitCode()).isEqualTo(3);
    assertThat(Program.start(Map.of(), "schedule", "list", "--server", server.url()).exitCode())
        .isEqualTo(4);
    assertThat(Program.start(here, "schedule", "list", "--server", "http://127.0.0.1:1").exitCode())
        .isEqualTo(7);
  }

  @Test
  void watching_goes_on_until_ctrl_c_and_then_ends_at_once() throws Exception {
    String data = folder.resolve("carillon-data").toString();
    ok("schedule create tick --target noop --every 1s");
    try (var watch = Program.start(Map.of("CARILLON_DATA", data), "run", "watch", "-o", "json")) {
      Await.until("a line", () -> watch.out().size() > 1);

      assertThat(watch.interrupt()).isEqualTo(130);
      assertThat(watch.err()).isEmpty();
      for (String line : watch.out()) {
        assertThat(Json.read(line).isObject()).isTrue();
      }
    }
    ok("schedule delete tick");
  }

  @Test
  void files_are_applied_once_changed_pruned_and_checked_before() throws Exception {
    write("all/one.yaml", schedule("one", "PT1H") + "---\n" + schedule("two", "PT2H"));

    assertThat(ok("schedule apply -f all --prune mine").out())
        .contains("create    one", "create    two", "2 to create", "Applied.");
    assertThat(ok("schedule apply -f all --prune mine").out())
        .isEqualTo("Plan: 0 to create, 0 to change, 0 to retire, 2 unchanged.\n");
    assertThat(ok("schedule diff -f all --exit-code").code()).isZero();

    write("all/one.yaml", schedule("one", "PT3H"));
    assertThat(run("schedule diff -f all --prune mine --exit-code").code()).isEqualTo(6);
    assertThat(ok("schedule apply -f all --prune mine").out())
        .contains("change    one", "timing.every: 1h → 3h", "retire    two");
    assertThat(json("schedule get two").path("status").asText()).isEqualTo("retired");

    write("all/one.yaml", schedule("one", "PT4H") + "---\n" + schedule("bad", "soon"));
    Answer refused = run("schedule apply -f all");
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err()).contains("nothing was changed", "(document 2, timing.every): ");
    assertThat(json("schedule get one").at("/timing/every").asText()).isEqualTo("PT3H");

    String definition = ok("schedule get one --definition -o yaml").out();
    assertThat(run(definition, "schedule", "apply", "-f", "-").out())
        .isEqualTo("Plan: 0 to create, 0 to change, 0 to retire, 1 unchanged.\n");
  }

  @Test
  void a_schedule_is_paused_resumed_run_and_taken_back() throws Exception {
    ok("schedule create nightly --target noop --cron 0␣2␣*␣*␣* --zone Europe/Rome --tag night");
    write("nightly.yaml", "key: nightly\ntarget: noop\ntiming: {cron: 0 3 * * *}\ntags: [night]\n");
    ok("schedule apply -f nightly.yaml");

    assertThat(ok("schedule versions nightly").out())
        .contains("0 2 * * * Europe/Rome", "0 3 * * *");
    assertThat(ok("schedule versions nightly 1 --to 2").out()).contains("timing");
    assertThat(ok("schedule rollback nightly 1").out()).contains("version 3");
    assertThat(ok("schedule fires nightly -n 3").out().lines()).hasSize(4);
    assertThat(ok("schedule pause nightly --reason rebuilt").out()).isEqualTo("nightly: paused\n");
    assertThat(ok("schedule get nightly").out()).contains("paused: rebuilt");
    assertThat(ok("schedule resume --tag night --yes").code()).isZero();
    assertThat(json("schedule get nightly").path("status").asText()).isEqualTo("active");
    String run = Json.text(json("schedule run nightly"), "/id");
    assertThat(ok("run watch " + run).out()).contains("succeeded");
    assertThat(ok("schedule backfill nightly --from 2026-01-01 --to 2026-01-05 --dry-run").out())
        .isEqualTo(
            """
            2026-01-01T01:00:00Z
            2026-01-02T01:00:00Z
            2026-01-03T01:00:00Z
            2026-01-04T01:00:00Z
            2026-01-05T01:00:00Z
            nightly: would make 5 runs
            """);
  }

  @Test
  void a_token_may_do_what_its_role_says_until_it_is_revoked() throws Exception {
    JsonNode made = json("token create reader --role viewer --expires P1D");
    String token = Json.text(made, "/token");
    HEARD.remove(HEARD.size() - 1); // it was shown, as it must be
    assertThat(run("schedule list --token " + token).code()).isZero();

    Answer refused = run("schedule create x --target log --every PT1H --token " + token);
    assertThat(refused.code()).isEqualTo(4);
    assertThat(ok("token list").out()).contains("reader", "viewer").doesNotContain(token);
    ok("token revoke " + Json.text(made, "/id"));
    assertThat(run("schedule list --token " + token).code()).isEqualTo(4);
  }

  @Test
  void a_target_in_use_stays_and_an_unknown_one_is_refused() throws Exception {
    ok("target put hook --url https://hook.example/run --max-concurrent 2");
    assertThat(ok("target list").out()).contains("hook", "https://hook.example/run", "log");
    ok("schedule create hooked --target hook --in P1D");

    assertThat(run("target delete hook").code()).isEqualTo(5);
    ok("schedule delete hooked");
    ok("target delete hook");
    Answer unknown = run("schedule create y --target hook --in P1D");
    assertThat(unknown.code()).isEqualTo(2);
    assertThat(unknown.err()).contains("--target: ");
  }

  @Test
  void runs_without_a_schedule_are_started_and_canceled() throws Exception {
    String id = Json.text(json("run start noop --in PT1H --correlation order-1"), "/id");

    assertThat(ok("run cancel " + id + " --reason wrong").out()).contains("is canceled");
    assertThat(ok("run show " + id).out()).contains("canceled", "wrong");
    assertThat(ok("dead list").code()).isZero();
    assertThat(ok("node list").out()).contains("alive");
  }

  @Test
  void the_doctor_finds_nothing_wrong_with_a_new_server() throws Exception {
    Answer answer = ok("doctor");

    assertThat(answer.out())
        .contains("ok    server", "ok    ready", "ok    token", "do everything (admin)")
        .contains("ok    database", "ok    schema", "ok    database clock", "ok    files")
        .contains("ok    time zones")
        .doesNotContain("fail");
    assertThat(run("migrate --dry-run --data " + folder.resolve("carillon-data")).out())
        .contains("nothing to do, the schema of ");
  }

  private static String schedule(String key, String every) {
    return "key: %s\ntarget: noop\ntiming: {every: %s}\ntags: [mine]\n".formatted(key, every);
  }

  private static void write(String name, String text) throws Exception {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private static Answer ok(String command) {
    Answer answer = run(command);
    assertThat(answer.code()).as("%s: %s", command, answer).isZero();
    return answer;
  }

  private static JsonNode json(String command) throws Exception {
    return Json.read(ok(command + " -o json").out());
  }

  /* A blank inside a word is written as ␣. */
  private static Answer run(String command) {
    String[] words = command.split(" ", -1);
    for (int i = 0; i < words.length; i++) {
      words[i] = words[i].replace('␣', ' ');
    }
    return run("", words);
  }

  private static Answer run(String stdin, String... words) {
    InputStream in = new ByteArrayInputStream(stdin.getBytes(StandardCharsets.UTF_8));
    var around = new Environment(Map.of(), folder, in, Terminal.none(), InstantSource.system());
    Answer answer = Answer.in(around, words);
    HEARD.add(answer);
    return answer;
  }
}
