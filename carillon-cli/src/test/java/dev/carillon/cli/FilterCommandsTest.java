package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.Json;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Finding, canceling and driving again, by filters, against a real server. */
@ExtendWith(EmbeddedPostgres.class)
@Timeout(180)
class FilterCommandsTest {
  private final RealServer server;

  FilterCommandsTest(PostgresServer postgres, @TempDir Path folder) {
    server = new RealServer(postgres, postgres.createMigrated(), folder, Map.of());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void runs_with_a_correlation_are_canceled_together() throws Exception {
    String one = start("noop --in PT1H --correlation order-1");
    String two = start("noop --in PT2H --correlation order-1");
    String other = start("noop --in PT1H --correlation order-2");

    assertThat(server.ok("run cancel --correlation order-1 --yes"))
        .isEqualTo("2 runs are canceled\n");
    assertThat(server.ok("run cancel --correlation order-2 --yes"))
        .isEqualTo("1 run is canceled\n");
    assertThat(server.ok("run cancel --correlation order-2")).isEqualTo("0 runs are canceled\n");

    assertThat(ids("run list --correlation order-1 --state canceled")).containsOnly(one, two);
    assertThat(ids("run list --correlation order-2")).containsExactly(other);
    assertThat(server.run("run cancel").code()).isEqualTo(2);
    assertThat(server.run("run cancel " + one + " --correlation order-1").code()).isEqualTo(2);
    assertThat(server.run("run cancel " + one).code()).isEqualTo(2);
    assertThat(server.run("run cancel " + one + " --reason late").code()).isEqualTo(5);
  }

  @Test
  void runs_are_found_by_every_filter() throws Exception {
    server.ok("schedule create daily --target noop --in P1D");
    String manual = Json.text(server.json("schedule run daily"), "/id");
    String adHoc = start("log --correlation order-7");
    String later = start("noop --in P9D");
    server.ok("run watch " + manual);
    server.ok("run watch " + adHoc);
    String node = Json.text(server.json("node list"), "/0/id");

    assertThat(ids("run list --schedule daily --trigger manual")).containsExactly(manual);
    assertThat(ids("run list --trigger ad_hoc")).containsExactly(adHoc);
    assertThat(ids("run list --trigger ad_hoc --planned")).containsOnly(adHoc, later);
    assertThat(ids("run list --target log")).containsExactly(adHoc);
    assertThat(ids("run list --state pending --trigger ad_hoc")).containsExactly(later);
    assertThat(ids("run list --node " + node)).containsOnly(manual, adHoc);
    assertThat(ids("run list -q order-7")).containsExactly(adHoc);
    assertThat(ids("run list --trigger ad_hoc --from 2020-01-01 --to 2021-01-01")).isEmpty();
    assertThat(server.ok("run list --target log")).contains(adHoc, "succeeded");
    assertThat(server.run("run list --state sleeping").code()).isEqualTo(2);
    assertThat(server.run("run list --node here").code()).isEqualTo(2);
    assertThat(server.run("run list --from soon").code()).isEqualTo(2);
  }

  @Test
  void dead_letters_are_listed_and_driven_again_by_filters() throws Exception {
    server.ok("target put jobs --type worker");
    server.ok("target put other --type worker");
    String one = dead("jobs", "order-1");
    String two = dead("jobs", "order-2");
    String three = dead("other", "order-1");

    assertThat(ids("dead list")).containsOnly(one, two, three);
    assertThat(ids("dead list --target jobs --correlation order-1")).containsExactly(one);
    assertThat(ids("dead list --schedule none")).isEmpty();
    assertThat(server.ok("dead list --target other")).contains(three, "no_luck");

    assertThat(server.ok("dead redrive --target jobs --correlation order-2 --yes"))
        .isEqualTo("1 run is pending again\n");
    assertThat(server.ok("dead redrive " + one + " " + three + " --payload {\"fixed\":true}"))
        .isEqualTo("2 runs are pending again\n");
    assertThat(ids("dead list")).isEmpty();
    assertThat(server.json("run show " + one).at("/payload/fixed").asBoolean()).isTrue();
    assertThat(server.ok("dead redrive " + one)).isEqualTo("0 runs are pending again\n");
    assertThat(server.run("dead redrive not-an-id").code()).isEqualTo(2);
  }

  @Test
  void dead_letters_are_dismissed_by_id_and_by_filters_and_say_why() throws Exception {
    server.ok("target put jobs --type worker");
    String one = dead("jobs", "order-1");
    String two = dead("jobs", "order-2");

    assertThat(server.run("dead dismiss " + one).err()).contains("--reason");
    assertThat(server.run("dead dismiss --target jobs --reason old").code()).isEqualTo(2);
    assertThat(ids("dead list")).containsOnly(one, two);
    assertThat(server.ok("dead dismiss " + one + " --reason withdrawn"))
        .isEqualTo("1 dead letter is dismissed\n");
    assertThat(ids("dead list")).containsExactly(two);
    assertThat(server.json("run show " + one).at("/dismissed/reason").asText())
        .isEqualTo("withdrawn");
    assertThat(server.ok("run show " + one))
        .containsPattern("dismissed +(now|.* ago) ")
        .containsPattern("dismissed by +\\S+\n")
        .containsPattern("because +withdrawn\n");
    assertThat(server.ok("dead dismiss --all --reason old --yes"))
        .isEqualTo("1 dead letter is dismissed\n");
    assertThat(ids("dead list")).isEmpty();
    assertThat(server.ok("dead dismiss --all --reason old --yes"))
        .isEqualTo("0 dead letters are dismissed\n");
  }

  @Test
  void targets_are_put_listed_and_deleted_unless_they_are_in_use() throws Exception {
    assertThat(server.ok("target put hook --url https://hook.example/run --max-concurrent 2"))
        .isEqualTo("target hook (http) is saved\n");
    server.ok("target put hook --settings {\"type\":\"http\",\"url\":\"https://hook.example/2\"}");
    server.ok("target put jobs --type worker");
    assertThat(server.ok("target list")).contains("hook", "https://hook.example/2", "worker");
    server.ok("schedule create hooked --target hook --in P1D");

    Answer inUse = server.run("target delete hook");
    assertThat(inUse.code()).isEqualTo(5);
    assertThat(inUse.err())
        .isEqualTo("carillon: 1 schedule has this target, or escalates to it.\n");
    server.ok("schedule create hooked-too --target hook --in P1D");
    assertThat(server.run("target delete hook").err())
        .isEqualTo("carillon: 2 schedules have this target, or escalate to it.\n");
    server.ok("schedule delete hooked hooked-too");
    assertThat(server.ok("target delete hook")).isEqualTo("target hook is deleted\n");
    assertThat(server.run("target delete hook").code()).isEqualTo(3);
    assertThat(server.run("target put bad --url ftp://hook.example").code()).isEqualTo(2);
    start("jobs");
    assertThat(server.run("target delete jobs").err())
        .isEqualTo("carillon: Runs are on their way to this target, or may escalate to it.\n");
  }

  @Test
  void tokens_are_made_listed_and_revoked() throws Exception {
    JsonNode made = server.json("token create reader --role viewer --expires P1D");
    String token = Json.text(made, "/token");
    var reader = server.around(Map.of("CARILLON_SERVER", server.url(), "CARILLON_TOKEN", token));

    assertThat(Answer.in(reader, "run", "list").code()).isZero();
    assertThat(Answer.in(reader, "token", "list").code()).isEqualTo(4);
    assertThat(server.ok("token list")).contains("reader", "viewer").doesNotContain(token);
    assertThat(server.ok("token revoke " + Json.text(made, "/id"))).contains("is revoked");
    assertThat(Answer.in(reader, "run", "list").code()).isEqualTo(4);
    assertThat(server.json("token list").at("/0/revokedAt").isNull()).isFalse();
    assertThat(server.run("token create x --role king").code()).isEqualTo(2);
    assertThat(server.run("token revoke 01981b2c-5a00-7000-8000-000000000001").code()).isEqualTo(3);
  }

  @Test
  void a_token_is_limited_to_targets_tags_and_keys() throws Exception {
    JsonNode made =
        server.json(
            "token create team --role operator --scope-target noop --scope-target log --scope-tag red"
                + " --scope-key team-");
    var team =
        server.around(
            Map.of("CARILLON_SERVER", server.url(), "CARILLON_TOKEN", Json.text(made, "/token")));

    assertThat(made.at("/scope").toString())
        .isEqualTo("{\"targets\":[\"noop\",\"log\"],\"tags\":[\"red\"],\"keys\":[\"team-\"]}");
    assertThat(server.ok("token list")).contains("SCOPE", "targets=noop,log tags=red keys=team-");
    assertThat(Answer.in(team, "schedule", "list").code()).isZero();
    assertThat(Answer.in(team, "node", "list").code()).isEqualTo(4);
    assertThat(server.run("token create x --role admin --scope-key team-").code()).isEqualTo(2);
  }

  @Test
  void nodes_are_listed() throws Exception {
    assertThat(server.json("node list")).hasSize(1);
    assertThat(server.ok("node list").lines().skip(1)).singleElement().asString().contains("alive");
  }

  private String start(String words) throws Exception {
    return Json.text(server.json("run start " + words), "/id");
  }

  /* A run of a worker that says it failed, and that trying again will not help. */
  private String dead(String target, String correlation) throws Exception {
    String id = start(target + " --correlation " + correlation);
    JsonNode run =
        server
            .rest()
            .post(
                "/workers/claim",
                "{\"worker\":\"w\",\"targets\":[\"%s\"],\"wait\":\"PT20S\"}".formatted(target))
            .at("/runs/0");
    server
        .rest()
        .post(
            "/workers/complete",
            "[{\"id\":%s,\"attempt\":%s,\"fence\":%s,\"outcome\":\"failed\",\"retryable\":false,\"failure\":{\"code\":\"no_luck\"}}]"
                .formatted(run.path("id"), run.path("attempt"), run.path("fence")));
    return id;
  }

  private List<String> ids(String command) throws Exception {
    var ids = new ArrayList<String>();
    server.json(command).forEach(run -> ids.add(Json.text(run, "/id")));
    return ids;
  }
}
