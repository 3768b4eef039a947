package dev.carillon.cli.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.cli.Answer;
import dev.carillon.cli.Around;
import dev.carillon.cli.remote.ScriptedServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScheduleCommandsTest {
  @TempDir Path folder;
  private final ScriptedServer server = new ScriptedServer();

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void create_sends_what_the_options_say_and_nothing_else() throws IOException {
    Files.writeString(folder.resolve("payload.json"), "{\"to\": \"ops\"}");
    server.on("POST /api/v1/schedules", 201, "{\"key\":\"nightly\",\"status\":\"active\"}");

    Answer answer =
        run(
            "schedule create nightly --target log --cron".split(" "),
            "0 2 * * *",
            "--zone=Europe/Rome",
            "--payload=@payload.json",
            "--attempts=3",
            "--from=2027-04-01",
            "--tag=a",
            "--tag=b");

    assertThat(answer.code()).isZero();
    assertThat(body())
        .isEqualTo(
            "{\"target\":\"log\",\"timing\":{\"cron\":\"0 2 * * *\",\"zone\":\"Europe/Rome\"},"
                + "\"payload\":{\"to\":\"ops\"},\"window\":{\"from\":\"2027-03-31T22:00:00Z\"},"
                + "\"retry\":{\"attempts\":3},\"tags\":[\"a\",\"b\"],\"key\":\"nightly\"}");
  }

  @Test
  void a_schedule_has_one_timing() {
    Answer none = run("schedule create x --target log".split(" "));
    Answer two = run("schedule create x --target log --every PT1S --in PT1S".split(" "));

    assertThat(none)
        .isEqualTo(two)
        .isEqualTo(
            new Answer(
                2,
                "",
                "carillon: say when it fires, in one way: --cron, --every, --at, --in, --business-day or"
                    + " --business-days-after\n"));
  }

  @Test
  void a_timing_by_a_calendar_takes_the_calendar_that_is_named() {
    server.on("POST /api/v1/schedules", 201, "{\"key\":\"x\",\"status\":\"active\"}");
    String create = "schedule create x --target log ";

    run((create + "--business-day last --time 09:00 --calendar it").split(" "));
    assertThat(body())
        .isEqualTo(
            "{\"target\":\"log\",\"timing\":{\"businessDay\":\"last\",\"time\":\"09:00\",\"calendar\":\"it\"},"
                + "\"key\":\"x\"}");
    run((create + "--at open --offset -15m --calendar it --roll skip").split(" "));
    assertThat(body())
        .isEqualTo(
            "{\"target\":\"log\",\"timing\":{\"at\":\"open\",\"offset\":\"-PT15M\",\"calendar\":\"it\"},"
                + "\"calendar\":{\"name\":\"it\",\"roll\":\"skip\"},\"key\":\"x\"}");
    run(
        (create + "--business-days-after -5 --date 2026-12-01 --time 9:00 --calendar it")
            .split(" "));
    assertThat(body()).contains("\"businessDaysAfter\":-5,\"date\":\"2026-12-01\"");
    assertThat(run((create + "--cron @daily --offset 1h").split(" ")).err())
        .isEqualTo("carillon: --offset goes with --at open or --at close\n");
    assertThat(run((create + "--business-day first --time 09:00 --calendar it").split(" ")).err())
        .isEqualTo("carillon: --business-day: 'first' is no number; use 3, -2 or last\n");
  }

  @Test
  void a_payload_can_come_from_stdin_and_must_be_json() {
    server.on("POST /api/v1/schedules/x/run", 202, "{\"id\":\"r1\",\"state\":\"pending\"}");

    Answer good = around().reading("[1.10]").run("schedule", "run", "x", "--payload", "-");
    Answer bad = run("schedule run x --payload {to}".split(" "));

    assertThat(good.out()).isEqualTo("run r1 is pending\n");
    assertThat(body()).isEqualTo("{\"payload\":[1.10]}");
    assertThat(bad.code()).isEqualTo(2);
    assertThat(bad.err()).startsWith("carillon: --payload is not JSON, at line 1, column 2: ");
  }

  @Test
  void explain_asks_on_the_clock_of_the_schedule_and_shows_words_before_data() {
    server.on(
        "GET /api/v1/schedules/nightly",
        200,
        "{\"key\":\"nightly\",\"timing\":{\"cron\":\"30 2 * * *\",\"zone\":\"Europe/Rome\"}}");
    server.on(
        "GET /api/v1/schedules/nightly/explain?at=2027-03-27T01%3A30%3A00Z",
        200,
        """
        {"at":"2027-03-27T01:30:00Z","slot":"2027-03-27T01:30:00Z","dueAt":"2027-03-27T01:30:00Z",
         "outcome":"dropped","run":null,
         "decision":{"reason":"paused","first":"2027-03-26T01:30:00Z","last":"2027-03-27T01:30:00Z","slots":2,
                     "version":1,"decidedAt":"2027-03-27T09:00:00Z"},
         "previous":{"slot":"2027-03-26T01:30:00Z","decision":"dropped"},"next":null,
         "steps":[{"what":"timing","because":"The timing names it."},{"what":"pause","because":"bob paused it."}],
         "text":"The timing names it.\\nbob paused it."}
        """);

    Answer answer = run("explain", "nightly", "--at", "2027-03-27 02:30");

    assertThat(answer.err()).isEmpty();
    assertThat(answer.out())
        .isEqualTo(
            """
            nightly at 2027-03-27T01:30:00Z  dropped

              The timing names it.
              bob paused it.

              slot         2027-03-27T01:30:00Z
              due at       2027-03-27T01:30:00Z
              decision     paused, for 2 slots from 2027-03-26T01:30:00Z to 2027-03-27T01:30:00Z
              slot before  2027-03-26T01:30:00Z  dropped
            """);
    assertThat(run("explain", "nightly", "--at", "27 March").err())
        .startsWith("carillon: --at: '27 March' is neither a date nor a time");
    assertThat(run("explain", "nightly").code()).isEqualTo(2);
  }

  @Test
  void list_shows_when_each_fires_next_and_how_it_went_last() {
    server.on(
        "GET /api/v1/schedules?limit=50",
        200,
        """
        {"items":[
          {"key":"nightly","status":"active","version":3,"target":"log",
           "timing":{"cron":"0 2 * * *","zone":"Europe/Rome"},
           "next":["2027-03-27T01:00:00Z"],"lastRun":{"state":"succeeded"}},
          {"key":"poll","status":"paused","version":12,"target":"feed",
           "timing":{"every":"PT30S","after":"start"},"next":[],"lastRun":null,
           "pauseReason":"rebuilt","pausedUntil":"2027-03-27T12:00:00Z"}],
         "nextCursor":null}
        """);

    assertThat(run("schedule", "list").out())
        .isEqualTo(
            """
            KEY      STATUS  VERSION  TIMING                 TARGET  NEXT    LAST RUN   PAUSED BECAUSE
            nightly  active        3  0 2 * * * Europe/Rome  log     in 13h  succeeded
            poll     paused       12  every 30s              feed    -       -          rebuilt (until 2027-03-27T12:00:00Z, in 24h)
            """);
    assertThat(run("schedule", "list", "--absolute").out()).contains("2027-03-27T01:00:00Z");
    assertThat(around().onTerminal(75).run("schedule", "list").out().lines())
        .allSatisfy(line -> assertThat(line).hasSizeLessThan(76));
  }

  @Test
  void get_shows_the_whole_schedule_or_what_apply_takes() {
    server.on(
        "GET /api/v1/schedules/nightly",
        200,
        """
        {"key":"nightly","version":3,"status":"paused","pauseReason":"rebuilt","target":"log",
         "timing":{"cron":"0 2 * * *","zone":"UTC"},"timeout":null,"tags":["a","b"],
         "retry":{"attempts":3,"backoff":"PT2S","factor":2.0,"maxBackoff":null},
         "pauseAfterFailures":5,"jitter":"PT0S","jitterMode":"around",
         "payload":{"to":"ops"},"pausedUntil":"2027-03-27T12:00:00Z",
         "updatedAt":"2027-03-26T11:00:00Z","updatedBy":"admin","next":["2027-03-27T02:00:00Z"],
         "recent":[{"state":"failed"},{"state":"succeeded"}]}
        """);

    assertThat(run("schedule", "get", "nightly").out())
        .isEqualTo(
            """
            nightly  paused  version 3
            paused: rebuilt (until 2027-03-27T12:00:00Z, in 24h)

              timing                0 2 * * *
              target                log
              tags                  a, b
              retry                 attempts 3, backoff 2s, factor 2
              pause after failures  5
              payload               {"to":"ops"}
              updated               1h ago by admin
              next                  in 14h
              recent                ✗✓
            """);
    assertThat(run("schedule get nightly --definition -o yaml".split(" ")).out())
        .isEqualTo(
            """
            key: nightly
            target: log
            payload:
              to: ops
            timing:
              cron: 0 2 * * *
              zone: UTC
            jitter: PT0S
            jitterMode: around
            retry:
              attempts: 3
              backoff: PT2S
              factor: 2.0
              maxBackoff: null
            pauseAfterFailures: 5
            tags:
            - a
            - b
            """);
  }

  @Test
  void fires_tell_what_happened_and_what_will() {
    server.on(
        "GET /api/v1/schedules/x/fires?from=2027-03-25T00%3A00%3A00Z&limit=20",
        200,
        """
        {"items":[{"slot":"2027-03-26T02:00:00Z","dueAt":"2027-03-26T02:00:00Z",
          "local":"2027-03-26T03:00:00","decision":"skipped","reason":"overlap"}]}
        """);

    assertThat(run("schedule fires x --from 2027-03-25".split(" ")).out())
        .isEqualTo(
            """
            SLOT                  LOCAL                WHEN     DECISION  REASON
            2027-03-26T02:00:00Z  2027-03-26T03:00:00  10h ago  skipped   overlap
            """);
  }

  @Test
  void pausing_needs_a_reason_and_says_which() {
    server.on("POST /api/v1/schedules/x/pause", 200, "{}");

    assertThat(run("schedule", "pause", "x").err())
        .isEqualTo(
            "carillon: Missing required option: '--reason=TEXT'. See 'carillon schedule pause"
                + " --help'.\n");
    assertThat(run("schedule", "pause", "x", "--reason", "a b", "--until", "2027-04-01").out())
        .isEqualTo("x: paused\n");
    assertThat(body()).isEqualTo("{\"reason\":\"a b\",\"until\":\"2027-04-01T00:00:00Z\"}");
    assertThat(run("schedule", "pause", "--reason", "r").code()).isEqualTo(2);
    assertThat(run("schedule", "pause", "x", "--tag", "t", "--reason", "r").err())
        .contains("exclude each other");
    assertThat(run("schedule", "pause", "--all", "--tag", "t", "--reason", "r").err())
        .contains("exclude each other");
  }

  @Test
  void what_a_filter_finds_is_shown_and_changed_together_once_somebody_agreed() {
    server.on(
        "POST /api/v1/schedules/bulk",
        200,
        """
        {"action":"delete","dryRun":true,"matched":12,"first":["a","b","c","d","e","f","g","h","i","j"],"schedules":2}
        """);

    Around terminal = around().onTerminal(100);
    Answer no = terminal.reading("n\n").run("schedule", "delete", "--tag", "t");
    assertThat(no.code()).isEqualTo(1);
    assertThat(no.err())
        .isEqualTo(
            """
            Delete 12 schedules:
              a
              b
              c
              d
              e
              f
              g
              h
              i
              j
              and 2 more
            Delete 12 schedules? [y/N] carillon: stopped; nothing was changed
            """);
    assertThat(server.asked()).hasSize(1);
    assertThat(body())
        .isEqualTo(
            "{\"action\":\"delete\",\"filter\":{\"tag\":\"t\"},"
                + "\"reason\":\"asked for on the command line\",\"dryRun\":true}");

    Answer yes = terminal.reading("y\n").run("schedule", "delete", "--tag", "t");
    assertThat(yes.out()).isEqualTo("delete: 2 schedules\n");
    assertThat(body())
        .isEqualTo(
            "{\"action\":\"delete\",\"filter\":{\"tag\":\"t\"},"
                + "\"reason\":\"asked for on the command line\",\"expect\":12}");
  }

  @Test
  void rollback_and_versions_speak_of_versions() {
    server.on("POST /api/v1/schedules/x/rollback", 200, "{\"version\":5}");
    server.on(
        "GET /api/v1/schedules/x/versions/3/diff?to=5",
        200,
        "{\"changes\":[{\"field\":\"jitter\",\"from\":\"PT0S\",\"to\":\"PT5S\"}]}");

    assertThat(run("schedule rollback x 3".split(" ")).out())
        .isEqualTo("x: version 5, which is as version 3 was\n");
    assertThat(run("schedule versions x 3 --to 5".split(" ")).out())
        .isEqualTo("FIELD   BEFORE  AFTER\njitter  0s      5s\n");
    assertThat(run("schedule versions x --to 5".split(" ")).code()).isEqualTo(2);
  }

  private Around around() {
    return Around.in(folder).with("CARILLON_SERVER", server.url());
  }

  private Answer run(String... arguments) {
    return around().run(arguments);
  }

  private Answer run(String[] some, String... more) {
    var all = Stream.of(some, more).flatMap(Arrays::stream);
    return around().run(all.toArray(String[]::new));
  }

  private String body() {
    return server.asked().get(server.asked().size() - 1).body();
  }
}
