package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Defining and changing schedules from the command line, against a real server. */
@ExtendWith(EmbeddedPostgres.class)
class EditCommandsTest {
  private final RealServer server;

  EditCommandsTest(PostgresServer postgres, @TempDir Path folder) {
    server = new RealServer(postgres, postgres.createMigrated(), folder, Map.of());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void an_edit_shows_what_differs_and_leaves_the_rest() throws Exception {
    server.ok("schedule create nightly --target noop --every 1h --attempts 3 --tag night");

    String dry = server.ok("schedule edit nightly --every 2h --set retry.attempts=5 --dry-run");
    assertThat(dry)
        .startsWith("nightly\n")
        .contains("  timing.every: 1h → 2h\n", "  retry.attempts: 3 → 5\n");
    assertThat(server.json("schedule get nightly").path("version").asInt()).isEqualTo(1);

    assertThat(server.ok("schedule edit nightly --every 2h --set retry.attempts=5"))
        .contains("timing.every: 1h → 2h", "version 2", "next  in ");
    JsonNode edited = server.json("schedule get nightly");
    assertThat(edited.at("/timing/every").asText()).isEqualTo("PT2H");
    assertThat(edited.at("/retry/attempts").asInt()).isEqualTo(5);
    assertThat(edited.at("/tags/0").asText()).isEqualTo("night");
    assertThat(server.ok("schedule edit nightly --every 2h")).startsWith("nightly: unchanged\n");
  }

  @Test
  void a_deadline_takes_the_place_of_one_of_the_other_kind() throws Exception {
    server.ok("calendar create it --zone Europe/Rome");
    server.ok(
        "schedule create x --target noop --every 1h --deadline 1h --deadline-calendar it"
            + " --escalate-to log");

    server.ok("schedule edit x --deadline-at 06:00");
    assertThat(server.json("schedule get x").path("deadline"))
        .hasToString("{\"after\":null,\"at\":\"06:00\",\"calendar\":null,\"escalateTo\":\"log\"}");
    server.ok("schedule edit x --deadline 2h");
    assertThat(server.json("schedule get x").path("deadline"))
        .hasToString("{\"after\":\"PT2H\",\"at\":null,\"calendar\":null,\"escalateTo\":\"log\"}");
    assertThat(server.run("schedule edit x --deadline 2h --deadline-at 06:00").code()).isEqualTo(2);
  }

  @Test
  void any_field_can_be_set_to_any_value_or_taken_away() throws Exception {
    server.ok("schedule create x --target noop --every 1h --timeout 5m --description old");

    server.ok(
        "schedule edit x --set payload.to=ops --set payload.list=[1,a] --set tags=[a,b]"
            + " --set timeout=null --set description=new");

    JsonNode edited = server.json("schedule get x");
    assertThat(edited.path("payload")).hasToString("{\"to\":\"ops\",\"list\":[1,\"a\"]}");
    assertThat(edited.path("tags")).hasToString("[\"a\",\"b\"]");
    assertThat(edited.path("timeout").isNull()).isTrue();
    assertThat(edited.path("description").asText()).isEqualTo("new");

    assertThat(server.run("schedule edit x --set attempts").err())
        .isEqualTo(
            "carillon: --set: 'attempts' is not PATH=VALUE; write it as retry.attempts=5 or"
                + " description=text\n");
    assertThat(server.run("schedule edit x --set retry.attemts=5").err())
        .contains("retry.attemts: ", "attempts");
    assertThat(server.run("schedule edit x").err()).contains("say what to change");
    assertThat(server.run("schedule edit nobody --every 1h").code()).isEqualTo(3);
  }

  @Test
  void another_kind_of_timing_is_shown_with_both_sides() {
    server.ok("schedule create x --target noop --at 2090-03-26T12:00:00Z");

    assertThat(server.ok("schedule edit x --every 1h --dry-run"))
        .contains("  timing: at 2090-03-26T12:00:00Z → every 1h\n");
  }

  @Test
  void the_key_of_a_retired_schedule_is_taken_until_it_is_revived() throws Exception {
    server.ok("schedule create x --target noop --every 1h");
    server.ok("schedule delete x");

    Answer refused = server.run("schedule create x --target noop --every 2h");
    assertThat(refused)
        .isEqualTo(
            new Answer(
                5,
                "",
                "carillon: schedule 'x' is retired and keeps its key; --revive lets it fire again, as"
                    + " defined here\n"));
    assertThat(server.run("schedule edit x --every 2h").err())
        .isEqualTo(
            "carillon: schedule 'x' is retired; 'schedule create x --revive' or 'schedule apply'"
                + " define it anew\n");

    assertThat(server.ok("schedule create x --target noop --every 2h --revive"))
        .startsWith("x  active  version 2");
    Answer taken = server.run("schedule create x --target noop --every 2h --revive");
    assertThat(taken)
        .isEqualTo(
            new Answer(
                5,
                "",
                "carillon: There is a schedule called 'x'; 'carillon schedule edit' changes it.\n"));
  }

  @Test
  void lengths_of_time_are_written_in_one_way_everywhere() throws Exception {
    server.ok(
        "schedule create x --target noop --every 1h30m --timeout 90s --backoff 1m --attempts 2"
            + " --jitter 5s");
    JsonNode schedule = server.json("schedule get x");
    assertThat(schedule.at("/timing/every").asText()).isEqualTo("PT1H30M");
    assertThat(schedule.at("/timeout").asText()).isEqualTo("PT1M30S");
    assertThat(server.ok("schedule list")).contains("every 1h30m");

    server.write("x.yaml", "key: x\ntarget: noop\ntiming: {every: 15m}\ntimeout: PT1M\n");
    server.ok("schedule apply -f x.yaml");
    assertThat(server.json("schedule get x").at("/timing/every").asText()).isEqualTo("PT15M");

    server.ok("run start noop --in 2d");
    server.ok("token create t --expires 90d");
    server.ok("target put hook --url https://hook.example/run --timeout 5s");
    assertThat(server.json("target list").toString()).contains("\"timeout\":\"PT5S\"");
    assertThat(server.run("schedule create y --target noop --every soon").err())
        .isEqualTo(
            "carillon: --every: 'soon' is no duration; write it as 30s, 15m, 1h30m, 3d or PT15M\n");
    assertThat(server.run("schedule create y --target noop --every PT").err())
        .startsWith(
            "carillon: --every: 'PT' is no duration; write it as 30s, 15m, 1h30m, 3d or PT15M");
  }

  @Test
  void a_pause_can_begin_later_and_be_taken_back() throws Exception {
    server.ok("schedule create later --target noop --every 1h");

    assertThat(
            server.ok(
                "schedule pause later --reason rebuilt --from 2090-02-01 --until 2090-02-03"
                    + " --zone Europe/Rome"))
        .startsWith("later: pauses from 2090-01-31T23:00:00Z, ");
    assertThat(server.json("schedule get later").at("/comingPause/until").asText())
        .isEqualTo("2090-02-02T23:00:00Z");
    assertThat(server.ok("schedule get later"))
        .contains("later  active")
        .contains("will pause: rebuilt (from 2090-01-31T23:00:00Z, ")
        .contains(", until 2090-02-02T23:00:00Z)");
    assertThat(server.ok("schedule list")).contains("rebuilt (from 2090-01-31T23:00:00Z");
    assertThat(
            server
                .run("schedule pause later --reason r --from 2090-02-02 --until 2090-02-01")
                .err())
        .startsWith("carillon: --until: a pause must end after it begins");

    assertThat(server.ok("schedule resume later")).isEqualTo("later: active again\n");
    assertThat(server.ok("schedule get later")).doesNotContain("pause: ");
    server.ok("schedule pause later --reason now --from now-1h");
    assertThat(server.json("schedule get later").at("/status").asText()).isEqualTo("paused");
  }

  @Test
  void times_that_name_no_zone_are_those_of_the_zone() throws Exception {
    server.ok("schedule create x --target noop --at 2090-03-01T02:00 --zone Europe/Rome");
    assertThat(server.json("schedule get x").at("/timing/at").asText())
        .isEqualTo("2090-03-01T01:00:00Z");

    assertThat(server.ok("schedule pause x --reason rebuilt --until 2090-02-01 --zone Europe/Rome"))
        .startsWith("x: paused until 2090-01-31T23:00:00Z, ");
    assertThat(server.json("schedule get x").at("/pausedUntil").asText())
        .isEqualTo("2090-01-31T23:00:00Z");
    assertThat(server.ok("schedule list")).contains("rebuilt (until 2090-01-31T23:00:00Z");
    assertThat(server.ok("schedule get x")).contains("paused: rebuilt (until 2090-01-31T23:00:00Z");

    assertThat(server.ok("run list --from now-1d --to tomorrow --zone Asia/Tokyo")).isNotEmpty();
    assertThat(server.run("run list --from today --zone Nowhere/Land").err())
        .startsWith("carillon: --zone: ");
  }

  @Test
  void a_delay_in_a_file_keeps_its_moment_until_the_file_says_another() throws Exception {
    server.write("x.yaml", "key: x\ntarget: noop\ntiming: {in: 3d}\n");
    server.ok("schedule apply -f x.yaml");
    String at = server.json("schedule get x").at("/timing/at").asText();

    assertThat(server.ok("schedule apply -f x.yaml"))
        .isEqualTo("Plan: 0 to create, 0 to change, 0 to retire, 1 unchanged.\n");
    server.write("x.yaml", "key: x\ntarget: noop\ntiming: {in: P3D}\ndescription: more\n");
    assertThat(server.ok("schedule apply -f x.yaml")).contains("description: (not set) → more");
    assertThat(server.ok("schedule apply -f x.yaml --dry-run")).contains("1 unchanged");
    assertThat(server.json("schedule get x").at("/timing/at").asText()).isEqualTo(at);

    server.write("x.yaml", "key: x\ntarget: noop\ntiming: {in: 5d}\ndescription: more\n");
    assertThat(server.ok("schedule apply -f x.yaml")).contains("timing.at: " + at + " → ");
    assertThat(server.json("schedule get x").at("/timing/at").asText()).isGreaterThan(at);
    assertThat(server.ok("schedule apply -f x.yaml --dry-run")).contains("1 unchanged");
  }

  @Test
  void what_the_server_refuses_is_told_by_the_option() {
    Answer refused =
        server.run(
            "schedule create x --target lgo --cron 61␣*␣*␣*␣* --catch-up maybe --max-runs 0");

    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err())
        .contains("\n  --target: ", "\n  --cron: ", "\n  --catch-up: ", "\n  --max-runs: ")
        .doesNotContain("/timing", "PUT", "GET ");
    assertThat(server.run("schedule get nobody").err())
        .isEqualTo(
            "carillon: No schedule is called 'nobody'; 'carillon schedule list' lists them.\n");
    assertThat(server.run("schedule list --status gone").err()).contains("--status: ");
  }
}
