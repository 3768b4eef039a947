package dev.carillon.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.Environment;
import dev.carillon.cli.console.Json;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** {@code carillon schedule apply} against a real server. */
@ExtendWith(EmbeddedPostgres.class)
class ApplyCommandsTest {
  private final RealServer server;

  ApplyCommandsTest(PostgresServer postgres, @TempDir Path folder) {
    server = new RealServer(postgres, postgres.createMigrated(), folder, Map.of());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void what_is_no_longer_in_the_files_is_retired_and_only_that() throws Exception {
    server.ok("schedule create foreign --target noop --in P1D");
    server.ok("schedule create tagged-too --target noop --in P1D --tag theirs");
    server.write("all/one.yaml", schedule("one", "PT1H"));
    server.write("all/two.yaml", schedule("two", "PT2H"));
    server.ok("schedule apply -f all --prune mine");

    server.write("all/two.yaml", schedule("three", "PT3H"));
    String plan =
        """
        create    three
        retire    two
        Plan: 1 to create, 0 to change, 1 to retire, 1 unchanged.
        """;
    Answer dry = server.run("schedule apply -f all --prune mine --dry-run --exit-code");
    assertThat(dry).isEqualTo(new Answer(6, plan, ""));
    assertThat(status("two")).isEqualTo("active");
    assertThat(server.run("schedule get three").code()).isEqualTo(3);

    assertThat(server.ok("schedule apply -f all --prune mine")).isEqualTo(plan + "Applied.\n");
    assertThat(status("two")).isEqualTo("retired");
    assertThat(status("three")).isEqualTo("active");
    assertThat(status("foreign")).isEqualTo("active");
    assertThat(status("tagged-too")).isEqualTo("active");
  }

  private static final String BUSINESS =
      """
      kind: calendar
      name: both
      combines: [it, de]
      ---
      key: report
      target: noop
      timing: {cron: 0 3 * * *, zone: Europe/Rome}
      calendar: {name: both, roll: preceding}
      quietHours: night
      tags: [mine]
      ---
      calendars:
        - {name: it, zone: Europe/Rome, holidays: [{date: 2030-04-22, name: Pasquetta}]}
        - {name: de, zone: Europe/Berlin}
      quietHours:
        - {name: night, zone: Europe/Rome, action: coalesce, windows: [{hours: "22:00-07:00"}]}
      """;

  @Test
  void calendars_and_quiet_hours_are_made_before_the_schedules_that_name_them() throws Exception {
    server.write("all.yaml", BUSINESS);
    Answer dry = server.run("schedule apply -f all.yaml --dry-run --exit-code");
    String plan =
        """
        create    calendar it
        create    calendar de
        create    calendar both
                    combines names what is created first, so the fires are not known yet
        create    quiet-hours night
        create    report
                    calendar and quietHours name what is created first, so the fires are not known yet
        Plan: 5 to create, 0 to change, 0 to retire, 0 unchanged.
        """;
    assertThat(dry).isEqualTo(new Answer(6, plan, ""));
    assertThat(server.run("calendar show it").code()).isEqualTo(3);

    assertThat(server.ok("schedule apply -f all.yaml")).isEqualTo(plan + "Applied.\n");
    assertThat(server.json("schedule get report").at("/calendar/name").asText()).isEqualTo("both");
    assertThat(server.ok("schedule apply -f all.yaml --prune mine"))
        .isEqualTo("Plan: 0 to create, 0 to change, 0 to retire, 5 unchanged.\n");

    server.write(
        "all.yaml", BUSINESS.replace("07:00", "06:30").replace("2030-04-22", "2030-04-23"));
    assertThat(server.ok("schedule apply -f all.yaml"))
        .contains(
            "change    calendar it\n",
            "holidays.2030-04-22",
            "change    quiet-hours night\n",
            "1 schedule uses it; ",
            "Plan: 0 to create, 2 to change, 0 to retire, 3 unchanged.\nApplied.\n");
    assertThat(server.json("calendar show it").path("version").asInt()).isEqualTo(2);
  }

  @Test
  void a_schedule_gets_a_calendar_that_is_made_with_it() throws Exception {
    server.write("all.yaml", schedule("one", "PT1H"));
    server.ok("schedule apply -f all.yaml");
    server.write(
        "all.yaml",
        schedule("one", "PT1H")
            + "calendar: {name: new}\n---\nkind: calendar\nname: new\nzone: UTC\n");
    assertThat(server.ok("schedule apply -f all.yaml"))
        .contains("create    calendar new\n", "change    one\n", "calendar: ", "Applied.\n");
    assertThat(server.json("schedule get one").at("/calendar/name").asText()).isEqualTo("new");
    assertThat(server.ok("schedule apply -f all.yaml")).contains("2 unchanged");
  }

  @Test
  void a_schedule_counts_the_working_time_of_a_calendar_that_is_made_with_it() throws Exception {
    server.write(
        "all.yaml",
        schedule("one", "PT1H")
            + "timeout: PT8H\ntimeoutCalendar: new\n"
            + "retry: {attempts: 2, backoff: PT8H, maxBackoff: P2D, calendar: new}\n"
            + "deadline: {after: PT8H, calendar: new, escalateTo: log}\n"
            + "---\nkind: calendar\nname: new\nzone: UTC\n");

    assertThat(server.ok("schedule apply -f all.yaml")).contains("create    one\n", "Applied.\n");
    assertThat(server.json("schedule get one").path("timeoutCalendar").asText()).isEqualTo("new");
  }

  @Test
  void a_mistake_about_a_calendar_that_is_made_with_it_changes_nothing() throws Exception {
    server.write("all.yaml", BUSINESS.replace("roll: preceding", "roll: backwards"));
    Answer refused = server.run("schedule apply -f all.yaml");
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err())
        .contains("nothing was changed: 1 mistake", "all.yaml:8 (document 2, calendar.roll): ");
    server.write("all.yaml", BUSINESS.replace("kind: calendar", "kind: holiday"));
    assertThat(server.run("schedule apply -f all.yaml").err())
        .contains("there is no kind 'holiday'; write target, calendar, quiet-hours or schedule");
    server.write("all.yaml", BUSINESS.replace("name: night, zone", "name: night, tz"));
    assertThat(server.run("schedule apply -f all.yaml").err()).contains("nothing was changed");
    assertThat(server.ok("calendar list")).doesNotContain("Europe");
  }

  @Test
  void applying_again_changes_nothing_and_what_comes_back_fires_again() throws Exception {
    server.write("all.yaml", schedule("one", "PT1H") + "---\n" + schedule("two", "PT2H"));
    server.ok("schedule apply -f all.yaml --prune mine");
    server.write("all.yaml", schedule("one", "PT1H"));
    server.ok("schedule apply -f all.yaml --prune mine");

    JsonNode nothing = server.json("schedule apply -f all.yaml --prune mine");
    assertThat(nothing.at("/plan")).hasSize(1);
    assertThat(nothing.at("/plan/0/action").asText()).isEqualTo("unchanged");
    assertThat(server.ok("schedule apply -f all.yaml --prune mine --dry-run --exit-code"))
        .isEqualTo("Plan: 0 to create, 0 to change, 0 to retire, 1 unchanged.\n");
    assertThat(server.json("schedule get one").path("version").asInt()).isEqualTo(1);

    server.write("all.yaml", schedule("one", "PT1H") + "---\n" + schedule("two", "PT2H"));
    assertThat(server.ok("schedule apply -f all.yaml --prune mine")).contains("two", "Applied.");
    assertThat(status("two")).isEqualTo("active");
    assertThat(server.ok("schedule apply -f all.yaml --prune mine"))
        .isEqualTo("Plan: 0 to create, 0 to change, 0 to retire, 2 unchanged.\n");
  }

  @Test
  void without_the_tag_in_every_document_nothing_is_done() throws Exception {
    server.write("all.yaml", "key: one\ntarget: noop\ntiming: {every: PT1H}\n");

    Answer refused = server.run("schedule apply -f all.yaml --prune mine");

    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err()).contains("all.yaml:1", "'one' has no tag 'mine'");
    assertThat(server.run("schedule get one").code()).isEqualTo(3);
  }

  @Test
  void what_another_client_changed_after_the_plan_was_shown_is_left_alone() throws Exception {
    for (String key : List.of("kept", "edited", "deleted", "pruned")) {
      server.ok("schedule create %s --target noop --every 1h --tag mine".formatted(key));
    }
    server.write(
        "all.yaml",
        Stream.of("kept", "edited", "deleted", "taken", "fresh")
            .map(key -> schedule(key, "PT2H"))
            .collect(Collectors.joining("---\n")));

    Answer answer =
        meanwhile(
            "schedule apply -f all.yaml --prune mine",
            "schedule edit edited --every 3h",
            "schedule delete deleted",
            "schedule create taken --target noop --every 3h",
            "schedule edit pruned --every 3h");

    assertThat(answer.code()).isEqualTo(5);
    assertThat(answer.out())
        .contains("2 to create, 3 to change, 1 to retire")
        .endsWith("Applied 2 of 6 changes.\n");
    assertThat(answer.err())
        .contains(
            Stream.of("taken", "edited", "deleted", "pruned")
                .map(key -> "carillon: %s was changed in between and is left alone".formatted(key))
                .toList())
        .doesNotContain("carillon: kept", "carillon: fresh");
    assertThat(every("kept")).isEqualTo("PT2H");
    assertThat(every("fresh")).isEqualTo("PT2H");
    assertThat(every("edited")).isEqualTo("PT3H");
    assertThat(every("taken")).isEqualTo("PT3H");
    assertThat(status("deleted")).isEqualTo("retired");
    assertThat(status("pruned")).isEqualTo("active");
    assertThat(server.run("schedule apply -f all.yaml --prune mine").code()).isZero();
    assertThat(every("edited")).isEqualTo("PT2H");
  }

  @Test
  void a_target_and_a_revival_are_left_alone_too_if_they_changed_in_between() throws Exception {
    server.ok("target put edited --url http://127.0.0.1:1/a");
    server.ok("target put kept --url http://127.0.0.1:1/a");
    for (String key : List.of("revived", "gone")) {
      server.ok("schedule create %s --target noop --every 1h".formatted(key));
      server.ok("schedule delete " + key);
    }
    server.write(
        "all.yaml",
        """
        targets:
        - {label: edited, type: http, url: "http://127.0.0.1:1/b"}
        - {label: kept, type: http, url: "http://127.0.0.1:1/b"}
        - {label: taken, type: worker}
        schedules:
        - {key: revived, target: noop, timing: {every: PT2H}}
        - {key: gone, target: noop, timing: {every: PT2H}}
        """);

    Answer answer =
        meanwhile(
            "schedule apply -f all.yaml -o json",
            "target put edited --url http://127.0.0.1:1/c",
            "target put taken --url http://127.0.0.1:1/c",
            "schedule create revived --target noop --every 3h --revive");

    assertThat(answer.code()).isEqualTo(5);
    JsonNode json = Json.read(answer.out());
    assertThat(json.path("applied").asBoolean()).isFalse();
    assertThat(json.path("plan"))
        .filteredOn(change -> change.path("changedInBetween").asBoolean())
        .extracting(change -> change.path("key").asText())
        .containsExactlyInAnyOrder("edited", "taken", "revived");
    assertThat(server.json("target get edited").path("url").asText()).endsWith("/c");
    assertThat(server.json("target get kept").path("url").asText()).endsWith("/b");
    assertThat(server.json("target get taken").path("url").asText()).endsWith("/c");
    assertThat(every("revived")).isEqualTo("PT3H");
    assertThat(every("gone")).isEqualTo("PT2H");
    assertThat(status("gone")).isEqualTo("active");
  }

  /* Run a command that asks, and run the others before it is answered with yes. */
  private Answer meanwhile(String command, String... others) {
    Environment own = server.environment();
    var answer =
        new FilterInputStream(new ByteArrayInputStream("y\n".getBytes(UTF_8))) {
          @Override
          public int read(byte[] bytes, int offset, int length) throws IOException {
            Stream.of(others).forEach(server::ok);
            return super.read(bytes, offset, length);
          }
        };
    return Answer.in(
        new Environment(own.environment(), own.folder(), answer, Around.terminal(100), own.clock()),
        command.split(" "));
  }

  private String every(String key) throws Exception {
    return server.json("schedule get " + key).at("/timing/every").asText();
  }

  private String status(String key) throws Exception {
    return server.json("schedule get " + key).path("status").asText();
  }

  private static String schedule(String key, String every) {
    return "key: %s\ntarget: noop\ntiming: {every: %s}\ntags: [mine]\n".formatted(key, every);
  }
}
