package dev.carillon.cli.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.cli.Answer;
import dev.carillon.cli.Around;
import dev.carillon.cli.remote.ScriptedServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApplyTest {
  private static final String FILE =
      """
      key: new
      target: log
      timing: {every: PT1M}
      tags: [mine]
      ---
      key: old
      target: log
      timing: {every: PT2M}
      tags: [mine]
      ---
      key: same
      target: log
      timing: {every: PT3M}
      tags: [mine]
      """;

  @TempDir Path folder;
  private final ScriptedServer server = new ScriptedServer();

  @BeforeEach
  void write() throws IOException {
    Files.writeString(folder.resolve("all.yaml"), FILE);
    preview(
        "new", "{\"result\":\"created\",\"warnings\":[{\"message\":\"every minute is often\"}]}");
    preview(
        "old",
        """
        {"result":"new_version","changedFields":["timing"],
         "changes":[{"field":"timing","from":{"every":"PT1M","after":"start"},
                     "to":{"every":"PT2M","after":"start"}}],
         "firesGained":[{"slot":"2027-03-26T12:02:00Z"}],
         "firesLost":[{"slot":"2027-03-26T12:01:00Z"}]}
        """);
    preview("same", "{\"result\":\"unchanged\"}");
    for (String key : new String[] {"new", "old"}) {
      server.on("PUT /api/v1/schedules/" + key, 200, "{}");
    }
    server.on("DELETE /api/v1/schedules/gone", 200, "{}");
    server.on(
        "GET /api/v1/schedules?tag=mine&limit=500",
        200,
        "{\"items\":[{\"key\":\"old\",\"status\":\"active\"},{\"key\":\"gone\",\"status\":\"paused\"},"
            + "{\"key\":\"long-gone\",\"status\":\"retired\"},"
            + "{\"key\":\"done\",\"status\":\"completed\"}],\"nextCursor\":null}");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void the_plan_is_shown_and_done() {
    Answer answer = run("-f", "all.yaml", "--prune", "mine");

    assertThat(answer)
        .isEqualTo(
            new Answer(
                0,
                """
                create    new
                            warning: every minute is often
                change    old
                            timing.every: 1m → 2m
                            fires of the next 30 days: 1 gained, 1 lost
                retire    gone
                Plan: 1 to create, 1 to change, 1 to retire, 1 unchanged.
                Applied.
                """,
                ""));
    assertThat(server.lines())
        .endsWith(
            "PUT /api/v1/schedules/new",
            "PUT /api/v1/schedules/old",
            "DELETE /api/v1/schedules/gone");
  }

  @Test
  void a_dry_run_changes_nothing_and_can_say_so_with_its_exit_code() {
    assertThat(run("-f", "all.yaml", "--dry-run").code()).isZero();
    assertThat(run("-f", "all.yaml", "--dry-run", "--exit-code").code()).isEqualTo(6);
    assertThat(
            Around.in(folder)
                .with("CARILLON_SERVER", server.url())
                .run("schedule", "diff", "-f", "all.yaml")
                .out())
        .endsWith("Plan: 1 to create, 1 to change, 0 to retire, 1 unchanged.\n");
    assertThat(server.lines()).allMatch(ApplyTest::changesNothing);
  }

  @Test
  void nothing_to_do_is_no_work() throws IOException {
    Files.writeString(folder.resolve("all.yaml"), FILE.substring(FILE.lastIndexOf("key: ")));

    assertThat(run("-f", "all.yaml").out())
        .isEqualTo("Plan: 0 to create, 0 to change, 0 to retire, 1 unchanged.\n");
  }

  @Test
  void somebody_at_a_terminal_is_asked() {
    Around terminal = Around.in(folder).with("CARILLON_SERVER", server.url()).onTerminal(100);

    assertThat(terminal.reading("").run("schedule", "apply", "-f", "all.yaml").code()).isEqualTo(1);
    assertThat(server.lines()).allMatch(ApplyTest::changesNothing);
    assertThat(terminal.reading("yes\n").run("schedule", "apply", "-f", "all.yaml").code())
        .isZero();
    assertThat(terminal.run("schedule", "apply", "-f", "all.yaml", "--yes").code()).isZero();
  }

  @Test
  void one_mistake_in_one_document_stops_before_anything_is_changed() {
    server.close();
    try (var strict = new ScriptedServer()) {
      strict.on("PUT /api/v1/schedules/new?dryRun=true", 200, "{\"result\":\"created\"}");
      strict.on(
          "PUT /api/v1/schedules/old?dryRun=true",
          422,
          "{\"detail\":\"bad\",\"errors\":[{\"pointer\":\"/timing/every\",\"message\":\"too often\"}]}");
      strict.on(
          "PUT /api/v1/schedules/same?dryRun=true",
          422,
          "{\"detail\":\"bad\",\"errors\":[{\"pointer\":\"/target\",\"message\":\"unknown\"}]}");

      Answer answer =
          Around.in(folder)
              .with("CARILLON_SERVER", strict.url())
              .run("schedule", "apply", "-f", "all.yaml");

      assertThat(answer)
          .isEqualTo(
              new Answer(
                  2,
                  "",
                  """
                  carillon: nothing was changed: 2 mistakes
                    all.yaml:8 (document 2, timing.every): too often
                    all.yaml:12 (document 3, target): unknown
                  """));
      assertThat(strict.lines()).allMatch(line -> line.endsWith("?dryRun=true"));
    }
  }

  @Test
  void pruning_needs_the_tag_on_everything_in_the_files() throws IOException {
    Files.writeString(folder.resolve("more.yaml"), "key: x\ntarget: log\ntags: [other]\n");

    Answer answer = run("-f", "all.yaml", "-f", "more.yaml", "--prune", "mine");

    assertThat(answer.code()).isEqualTo(2);
    assertThat(answer.err())
        .isEqualTo(
            "carillon: more.yaml:3 (document 1, tags): 'x' has no tag 'mine'; with --prune, every"
                + " schedule in the files needs it\n");
    assertThat(server.asked()).isEmpty();
  }

  @Test
  void a_key_defined_twice_is_refused_with_both_places() throws IOException {
    Files.writeString(folder.resolve("more.json"), "{\"key\":\"new\"}");

    assertThat(run("-f", "all.yaml", "-f", "more.json").err())
        .isEqualTo(
            "carillon: more.json:1 (document 1): 'new' is also defined at all.yaml:1 (document 1);"
                + " keep one\n");
  }

  @Test
  void what_is_no_schedule_is_told() throws IOException {
    Files.writeString(folder.resolve("text.yaml"), "just a text\n");
    Files.writeString(folder.resolve("keyless.yaml"), "target: log\n");

    assertThat(run("-f", "text.yaml").err())
        .isEqualTo(
            "carillon: text.yaml:1 (document 1): a definition is an object with fields, not \"just a"
                + " text\"\n");
    assertThat(run("-f", "keyless.yaml").err())
        .isEqualTo("carillon: keyless.yaml:1 (document 1): 'key' is missing; it must be a text\n");
    assertThat(run("-f", "nothing.yaml").code()).isEqualTo(2);
  }

  @Test
  void a_failure_on_the_way_tells_how_far_it_came() {
    try (var failing = new ScriptedServer()) {
      failing.on("PUT /api/v1/schedules/new?dryRun=true", 200, "{\"result\":\"created\"}");
      failing.on("PUT /api/v1/schedules/old?dryRun=true", 200, "{\"result\":\"created\"}");
      failing.on("PUT /api/v1/schedules/same?dryRun=true", 200, "{\"result\":\"created\"}");
      failing.on("PUT /api/v1/schedules/new", 201, "{}");
      failing.on("PUT /api/v1/schedules/old", 409, "{\"detail\":\"retired meanwhile\"}");

      Answer answer =
          Around.in(folder)
              .with("CARILLON_SERVER", failing.url())
              .run("schedule", "apply", "-f", "all.yaml");

      assertThat(answer.code()).isEqualTo(5);
      assertThat(answer.err())
          .isEqualTo(
              """
              carillon: 1 of 3 changes were made before it failed; apply again for the others
              carillon: retired meanwhile
              """);
    }
  }

  @Test
  void a_change_that_was_sent_again_after_a_lost_answer_is_no_conflict() {
    try (var again = new ScriptedServer()) {
      again.on("PUT /api/v1/schedules/new?dryRun=true", 200, "{\"result\":\"created\"}");
      again.on("PUT /api/v1/schedules/new?dryRun=true", 200, "{\"result\":\"unchanged\"}");
      again.on("PUT /api/v1/schedules/old?dryRun=true", 200, "{\"result\":\"unchanged\"}");
      again.on("PUT /api/v1/schedules/same?dryRun=true", 200, "{\"result\":\"unchanged\"}");
      again.on("PUT /api/v1/schedules/new", 412, "{\"detail\":\"There is such a schedule.\"}");

      Answer answer =
          Around.in(folder)
              .with("CARILLON_SERVER", again.url())
              .run("schedule", "apply", "-f", "all.yaml");

      assertThat(answer.code()).isZero();
      assertThat(answer.out()).endsWith("Applied.\n");
      assertThat(again.asked())
          .filteredOn(asked -> asked.line().equals("PUT /api/v1/schedules/new"))
          .extracting(asked -> asked.header("If-none-match"))
          .containsExactly("*");
    }
  }

  @Test
  void programs_get_the_plan_as_json() {
    assertThat(run("-f", "all.yaml", "--dry-run", "-o", "json").out())
        .contains(
            "\"action\" : \"change\"", "\"pointer\" : \"/timing/every\"", "\"applied\" : false");
  }

  private static boolean changesNothing(String line) {
    return line.startsWith("GET ") || line.endsWith("?dryRun=true");
  }

  private void preview(String key, String answer) {
    server.on("PUT /api/v1/schedules/" + key + "?dryRun=true", 200, answer);
  }

  private Answer run(String... arguments) {
    String[] all = new String[arguments.length + 2];
    all[0] = "schedule";
    all[1] = "apply";
    System.arraycopy(arguments, 0, all, 2, arguments.length);
    return Around.in(folder).with("CARILLON_SERVER", server.url()).run(all);
  }
}
