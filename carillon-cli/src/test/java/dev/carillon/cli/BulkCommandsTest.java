package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.Json;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What an operator does to many, from a script with variables that may not be set. */
@ExtendWith(EmbeddedPostgres.class)
@Timeout(180)
class BulkCommandsTest {
  private final RealServer server;

  BulkCommandsTest(PostgresServer postgres, @TempDir Path folder) {
    server = new RealServer(postgres, postgres.createMigrated(), folder, Map.of());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private void schedules(int count) {
    for (int i = 0; i < count; i++) {
      server.ok("schedule create s%02d --target noop --in P1D --tag t".formatted(i));
    }
  }

  private List<String> active() throws Exception {
    return server.json("schedule list --status active --all").findValuesAsText("key");
  }

  private Answer run(String... words) {
    return Answer.in(server.environment(), words);
  }

  @Test
  void an_option_that_is_empty_is_refused_by_its_name_and_nothing_is_changed() throws Exception {
    schedules(2);
    Stream<String[]> commands =
        Stream.of(
            new String[] {"--query", "schedule", "delete", "-q", ""},
            new String[] {"--query", "schedule", "delete", "-q", "", "--yes"},
            new String[] {"--tag", "schedule", "pause", "--tag", " ", "--reason", "r", "--yes"},
            new String[] {"--target", "schedule", "resume", "--target", "", "--yes"},
            new String[] {"--status", "schedule", "delete", "--status", "", "--yes"},
            new String[] {"--payload", "schedule", "delete", "--payload", "", "--yes"},
            new String[] {"--query", "schedule", "list", "-q", ""},
            new String[] {"KEY", "schedule", "delete", ""},
            new String[] {"--schedule", "dead", "redrive", "--schedule", "", "--yes"},
            new String[] {"--query", "dead", "redrive", "-q", "", "--yes"},
            new String[] {"--query", "dead", "dismiss", "-q", "", "--reason", "r", "--yes"},
            new String[] {"--reason", "dead", "dismiss", "--all", "--reason", " ", "--yes"},
            new String[] {"--target", "dead", "list", "--target", ""},
            new String[] {"--from", "dead", "redrive", "--from", "", "--yes"},
            new String[] {"ID", "dead", "redrive", ""},
            new String[] {"--correlation", "run", "cancel", "--correlation", "", "--yes"},
            new String[] {"--state", "run", "list", "--state", ""},
            new String[] {"--node", "run", "list", "--node", ""},
            new String[] {"--schedule", "run", "watch", "--schedule", ""});
    commands.forEach(
        words -> {
          Answer refused = run(Stream.of(words).skip(1).toArray(String[]::new));
          assertThat(refused.code()).as(String.join(" ", words)).isEqualTo(2);
          assertThat(refused.err())
              .startsWith(
                  "carillon: %s must not be empty; leave it out if it does not matter"
                      .formatted(words[0]));
        });
    assertThat(active()).containsExactly("s00", "s01");
  }

  @Test
  void off_a_terminal_many_are_changed_only_with_yes() throws Exception {
    schedules(12);
    Answer refused = run("schedule", "delete", "--tag", "t");

    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err())
        .isEqualTo(
            """
            Delete 12 schedules:
              s00
              s01
              s02
              s03
              s04
              s05
              s06
              s07
              s08
              s09
              and 2 more
            carillon: nobody can be asked here, and nothing was changed; say --yes if it is meant
            """);
    assertThat(active()).hasSize(12);
    assertThat(server.ok("schedule pause --tag t --reason r --yes"))
        .isEqualTo("pause: 12 schedules\n");
    assertThat(server.ok("schedule pause --tag t --reason r --until 2099-01-01 --yes"))
        .isEqualTo("pause: 0 schedules\n");
    assertThat(server.ok("schedule resume --all --yes")).isEqualTo("resume: 12 schedules\n");
    server.ok("schedule pause --all --reason r --until 2099-01-01 --yes");
    assertThat(server.json("schedule get s03").at("/pausedUntil").asText())
        .isEqualTo("2099-01-01T00:00:00Z");
    assertThat(run("schedule", "delete", "--yes").code()).isEqualTo(2);
    assertThat(server.ok("schedule delete --tag t --yes")).isEqualTo("delete: 12 schedules\n");
    assertThat(server.ok("schedule delete --tag t")).isEqualTo("delete: 0 schedules\n");
  }

  @Test
  void runs_are_canceled_together_only_with_yes() throws Exception {
    String one = id("run start noop --in PT1H --correlation order-1");
    String two = id("run start noop --in PT2H --correlation order-1");
    Answer refused = run("run", "cancel", "--correlation", "order-1");

    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err()).contains("Cancel 2 runs:\n", one, two, "say --yes");
    assertThat(server.json("run list --correlation order-1").findValuesAsText("state"))
        .containsExactly("pending", "pending");
  }

  @Test
  void five_dead_letters_of_a_schedule_run_again_one_after_the_other() throws Exception {
    server.ok("target put jobs --type worker");
    server.ok("schedule create dl --target jobs --in P1D --overlap skip");
    for (int i = 0; i < 5; i++) {
      String run = id("schedule run dl");
      assertThat(complete("failed")).isEqualTo(run);
    }
    assertThat(server.json("dead list --schedule dl")).hasSize(5);

    assertThat(server.ok("dead redrive --schedule dl --yes"))
        .isEqualTo("5 runs are pending again\n");
    for (int i = 0; i < 5; i++) {
      complete("succeeded");
    }

    assertThat(server.json("run list --schedule dl --trigger manual").findValuesAsText("state"))
        .containsExactly("succeeded", "succeeded", "succeeded", "succeeded", "succeeded");
    assertThat(server.json("dead list")).isEmpty();
  }

  @Test
  void a_backfill_lists_its_slots_is_repeated_without_harm_and_says_why_it_made_none()
      throws Exception {
    server.ok("target put jobs --type worker");
    server.write(
        "daily.yaml", "key: daily\ntarget: jobs\ntiming: {cron: 0 3 * * *}\noverlap: skip\n");
    server.ok("schedule apply -f daily.yaml --yes");
    String backfill = "schedule backfill daily --from 2026-01-01 --to 2026-01-05";

    assertThat(server.ok(backfill + " --dry-run"))
        .isEqualTo(
            """
            2026-01-01T03:00:00Z
            2026-01-02T03:00:00Z
            2026-01-03T03:00:00Z
            2026-01-04T03:00:00Z
            2026-01-05T03:00:00Z
            daily: would make 5 runs
            """);
    assertThat(server.ok(backfill)).isEqualTo("daily: made 5 runs\n");
    for (int i = 0; i < 3; i++) {
      complete("succeeded");
    }
    String waiting =
        Json.text(server.json("run list --schedule daily --trigger backfill"), "/0/id");
    server.ok("run cancel " + waiting + " --reason later");
    complete("succeeded");

    assertThat(server.ok(backfill))
        .isEqualTo(
            "daily: made 1 run, 1 of them skipped or canceled before; 4 of 5 slots have a run: 4"
                + " succeeded\n");
    complete("succeeded");
    assertThat(server.ok(backfill))
        .isEqualTo("daily: made 0 runs; 5 of 5 slots have a run: 5 succeeded\n");
    assertThat(server.ok("schedule backfill daily --from 2026-01-01T04:00 --to 2026-01-01T05:00"))
        .isEqualTo(
            "daily: made 0 runs; the schedule has no past slot from 2026-01-01T04:00:00Z to"
                + " 2026-01-01T05:00:00Z\n");
  }

  private String id(String command) throws Exception {
    return Json.text(server.json(command), "/id");
  }

  /* Does the next run as a worker, and says how it ended. */
  private String complete(String outcome) throws Exception {
    JsonNode claimed =
        server
            .rest()
            .post(
                "/workers/claim",
                "{\"worker\":\"w\",\"targets\":[\"jobs\"],\"max\":10,\"wait\":\"PT20S\"}");
    assertThat(claimed.at("/runs")).hasSize(1);
    JsonNode run = claimed.at("/runs/0");
    server
        .rest()
        .post(
            "/workers/complete",
            "[{\"id\":%s,\"attempt\":%s,\"fence\":%s,\"outcome\":\"%s\"%s}]"
                .formatted(
                    run.path("id"),
                    run.path("attempt"),
                    run.path("fence"),
                    outcome,
                    outcome.equals("failed") ? ",\"failure\":{\"code\":\"no_luck\"}" : ""));
    return Json.text(run, "/id");
  }
}
