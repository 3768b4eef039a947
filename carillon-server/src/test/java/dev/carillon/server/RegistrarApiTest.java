package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.model.Report;
import dev.carillon.model.Run;
import dev.carillon.model.RunFilter;
import dev.carillon.model.RunState;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.target.Lease;
import dev.carillon.target.LeasedRun;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The contract of the scheduler registrar. */
@ExtendWith(EmbeddedPostgres.class)
class RegistrarApiTest {
  private static final Map<String, String> VALUES = new LinkedHashMap<>();

  static {
    VALUES.put("workflow_id", "\"billing\"");
    VALUES.put("version", "3");
    VALUES.put("user_id", "\"ada\"");
    VALUES.put("cron_expr", "\"0 2 * * *\"");
    VALUES.put("timezone", "\"America/New_York\"");
    VALUES.put("start_at", "\"2026-01-03T00:00:00Z\"");
    VALUES.put("end_at", "\"2026-01-06T00:00:00Z\"");
    VALUES.put("jitter_ms", "1500");
    VALUES.put("overlap_policy", "\"queue\"");
    VALUES.put("catchup_policy", "\"spread\"");
  }

  private final Site site;
  private final String id = "s-" + Long.toHexString(System.nanoTime());

  RegistrarApiTest(DataSource source) {
    site = new Site(source);
  }

  @BeforeEach
  void workflowsCanRun() {
    site.put("/targets/workflow", "{\"type\": \"noop\"}");
  }

  @AfterEach
  void close() {
    site.close();
  }

  private Answer upsert(List<String> names, String... others) {
    var fields = new ArrayList<String>();
    names.forEach(
        name ->
            fields.add("\"%s\": %s".formatted(name, VALUES.getOrDefault(name, "\"" + id + "\""))));
    fields.addAll(List.of(others));
    return site.sendTo("POST", "/schedules/upsert", "{" + String.join(", ", fields) + "}");
  }

  private Answer upsertFor(String target, String cron, String... others) {
    var more = new ArrayList<>(List.of(others));
    more.add("\"target\": \"%s\"".formatted(target));
    more.add("\"cron_expr\": \"%s\"".formatted(cron));
    more.add("\"timezone\": \"UTC\"");
    return upsert(
        List.of("schedule_id", "workflow_id", "version", "user_id"), more.toArray(String[]::new));
  }

  private Answer get() {
    return site.sendTo("GET", "/schedules/" + id, "");
  }

  private Answer pause(String paused) {
    return site.sendTo(
        "POST",
        "/schedules/pause",
        "{\"schedule_id\": \"%s\", \"paused\": %s}".formatted(id, paused));
  }

  private static List<String> required() {
    return SourceText.names("upsert-input.txt").stream()
        .filter(name -> !name.endsWith("?"))
        .toList();
  }

  private static List<String> all() {
    return SourceText.names("upsert-input.txt").stream()
        .map(name -> name.replace("?", ""))
        .toList();
  }

  @Test
  void the_routes_of_the_registrar_are_those_of_the_document() {
    List<String> routes = site.routes.stream().map(Object::toString).toList();
    List<String> documented = SourceText.routes("registrar-routes.txt");

    assertThat(documented).hasSize(5);
    assertThat(routes).containsAll(documented);
  }

  @Test
  void the_run_launcher_starts_a_workflow_it_knows_once() {
    site.put("/workflows/%s/versions/1".formatted(id), "{\"nodes\": []}");
    Answer unknown = launch("nobody");
    Answer first = launch(id);
    Answer again = launch(id);

    assertThat(unknown.status()).isEqualTo(200);
    assertThat(unknown.at("/started")).isEqualTo("false");
    assertThat(first.status()).isEqualTo(202);
    assertThat(first.at("/started")).isEqualTo("true");
    assertThat(again.at("/run")).isEqualTo(first.at("/run"));
    assertThat(site.get("/runs/" + first.at("/run")).at("/payload/scheduled_for"))
        .isEqualTo("2026-01-01T02:00:00Z");
  }

  private Answer launch(String workflow) {
    return site.sendTo(
        "POST",
        "/run-launcher/start",
        """
        {"workflow_id": "%s", "version": 1, "user_id": "ada",
         "scheduled_for": "2026-01-01T02:00:00Z", "idempotency_key": "%s"}
        """
            .formatted(workflow, workflow + id));
  }

  @Test
  void what_the_document_requires_is_enough() {
    Answer answer = upsert(required());

    assertThat(required())
        .containsExactly("workflow_id", "version", "user_id", "cron_expr", "timezone");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(names(answer.json())).isEqualTo(SourceText.names("upsert-output.txt"));
    assertThat(answer.at("/next_run_at")).isEqualTo("2026-01-01T07:00:00Z");
    assertThat(site.sendTo("GET", "/schedules/" + answer.at("/schedule_id"), "").status())
        .isEqualTo(200);
  }

  @Test
  void what_the_document_requires_is_missed() {
    for (String name : required()) {
      List<String> others = required().stream().filter(other -> !other.equals(name)).toList();
      Answer answer = upsert(others);

      assertThat(answer.status()).as(name).isEqualTo(422);
      assertThat(answer.at("/errors/0/pointer")).isEqualTo("/" + name);
    }
  }

  @Test
  void all_that_the_document_names_is_kept_and_shown() {
    Answer stored = upsert(all());
    Answer told = get();

    assertThat(stored.status()).isEqualTo(200);
    assertThat(stored.at("/schedule_id")).isEqualTo(id);
    assertThat(stored.at("/next_run_at")).isEqualTo("2026-01-03T07:00:00Z");
    assertThat(names(told.json()))
        .startsWith(columns("schedules-table.txt").toArray(String[]::new));
    VALUES.forEach(
        (name, value) -> assertThat(told.json().get(name)).as(name).isEqualTo(Answer.parse(value)));
    assertThat(told.at("/next_run_at")).isEqualTo("2026-01-03T07:00:00Z");
    assertThat(told.at("/paused")).isEqualTo("false");
    assertThat(told.json().get("preview"))
        .isEqualTo(
            Answer.parse(
                "[\"2026-01-03T07:00:00Z\", \"2026-01-04T07:00:00Z\", \"2026-01-05T07:00:00Z\"]"));
  }

  @Test
  void the_defaults_are_those_of_the_document_and_five_fire_times_are_shown() {
    upsertFor("noop", "*/10 * * * *");
    Answer told = get();

    assertThat(told.at("/overlap_policy")).isEqualTo("skip");
    assertThat(told.at("/catchup_policy")).isEqualTo("none");
    assertThat(told.at("/jitter_ms")).isEqualTo("0");
    assertThat(told.json().get("start_at").isNull()).isTrue();
    assertThat(told.json().get("end_at").isNull()).isTrue();
    assertThat(told.json().get("preview")).hasSize(5);
    assertThat(told.at("/preview/4")).isEqualTo("2026-01-01T00:50:00Z");
  }

  @ParameterizedTest
  @CsvSource({
    "none, none",
    "run_once, run_once",
    "fire_immediately, fire_immediately",
    "run_all_capped, run_all_capped",
    "spread, spread"
  })
  void catch_up_is_known_by_the_names_of_the_documents(String said, String told) {
    upsertFor("noop", "0 * * * *", "\"catchup_policy\": \"%s\"".formatted(said));

    assertThat(get().at("/catchup_policy")).isEqualTo(told);
  }

  @Test
  void fire_immediately_emits_every_missed_tick_and_drops_none() {
    upsertFor(
        "noop",
        "* * * * *",
        "\"catchup_policy\": \"fire_immediately\"",
        "\"overlap_policy\": \"allow\"");
    site.clock.advance(Duration.ofMinutes(250));
    site.carillon.pass(Duration.ofSeconds(30));

    assertThat(
            site.carillon
                .runs()
                .list(RunFilter.bySchedule(id).dueBy(site.clock.instant()).limit(500)))
        .extracting(Run::state)
        .hasSize(250)
        .containsOnly(RunState.SUCCEEDED);
    assertThat(site.carillon.schedules().decisions(id, Instant.EPOCH, site.clock.instant(), 10))
        .isEmpty();
  }

  @Test
  void a_tick_that_was_missed_is_ignored_unless_it_is_said_otherwise() {
    upsertFor("noop", "* * * * *");
    site.clock.advance(Duration.ofMinutes(3).plusSeconds(30));
    site.carillon.runDue();

    assertThat(get().json().get("runs"))
        .allSatisfy(run -> assertThat(run.get("status").asText()).isEqualTo("ENQUEUED"));
    assertThat(site.carillon.schedules().decisions(id, Instant.EPOCH, site.clock.instant(), 10))
        .singleElement()
        .satisfies(decision -> assertThat(decision.droppedSlots().slots()).isEqualTo(3));
  }

  @Test
  void a_schedule_runs_its_workflow() {
    upsert(List.of("schedule_id", "workflow_id", "version", "user_id", "cron_expr", "timezone"));
    Answer schedule = site.get("/schedules/" + id);

    assertThat(schedule.at("/target")).isEqualTo("workflow");
    assertThat(schedule.json().get("payload"))
        .isEqualTo(
            Answer.parse("{\"workflow_id\": \"billing\", \"version\": 3, \"user_id\": \"ada\"}"));
  }

  @Test
  void saying_the_same_twice_has_the_effect_of_once_but_lets_it_fire() {
    upsertFor("noop", "0 * * * *");
    pause("true");
    Answer paused = get();
    Answer again = upsertFor("noop", "0 * * * *");

    assertThat(paused.at("/paused")).isEqualTo("true");
    assertThat(paused.json().get("preview")).isEmpty();
    assertThat(again.status()).isEqualTo(200);
    assertThat(get().at("/paused")).isEqualTo("false");
    assertThat(site.get("/schedules/" + id).at("/version")).isEqualTo("1");
  }

  @Test
  void a_schedule_is_paused_resumed_and_deleted() {
    upsertFor("noop", "0 * * * *");

    assertThat(pause("true").status()).isEqualTo(204);
    assertThat(site.get("/schedules/" + id).at("/pauseReason")).isEqualTo("paused by admin");
    assertThat(pause("false").status()).isEqualTo(204);
    assertThat(get().at("/paused")).isEqualTo("false");
    assertThat(site.sendTo("DELETE", "/schedules/" + id, "").status()).isEqualTo(204);
    assertThat(get().status()).isEqualTo(404);
    assertThat(pause("true").status()).isEqualTo(404);
    assertThat(site.sendTo("DELETE", "/schedules/" + id, "").status()).isEqualTo(404);
    assertThat(site.get("/schedules/" + id).at("/status")).isEqualTo("retired");
  }

  @Test
  void a_version_that_is_gone_is_not_deleted() {
    upsertFor("noop", "0 * * * *");
    upsertFor("noop", "5 * * * *");
    Request delete = site.as(Role.ADMIN, Request.of("DELETE", "/schedules/" + id));

    assertThat(site.send(delete.header("If-Match", "\"1\"")).status()).isEqualTo(412);
    assertThat(get().status()).isEqualTo(200);
    assertThat(site.send(delete.header("If-Match", "\"2\"")).status()).isEqualTo(204);
  }

  @Test
  void what_is_planned_is_among_the_next_and_not_among_the_runs() {
    upsertFor("noop", "* * * * *");
    site.carillon.pass(Duration.ofMinutes(2));

    assertThat(get().at("/next_run_at")).isEqualTo("2026-01-01T00:03:00Z");
    assertThat(get().json().get("preview")).hasSize(5);
    assertThat(get().json().get("runs").findValuesAsText("run_at"))
        .containsExactly("2026-01-01T00:02:00Z", "2026-01-01T00:01:00Z");
    site.delete("/schedules/" + id);
  }

  @Test
  void every_change_is_in_the_audit() {
    upsertFor("noop", "0 * * * *");
    pause("true");
    site.sendTo("DELETE", "/schedules/" + id, "");

    assertThat(site.get("/audit?schedule=" + id).json().get("items").findValuesAsText("action"))
        .containsExactly("schedule.retired", "schedule.paused", "schedule.created");
  }

  @Test
  void runs_that_are_over_are_shown_in_the_words_of_the_document() throws Exception {
    upsertFor("noop", "0 1 * * *");
    site.carillon.pass(Duration.ofMinutes(61));
    JsonNode good = get().json().at("/runs/0");
    upsertFor("fail", "0 2 * * *");
    site.carillon.pass(Duration.ofMinutes(60));

    assertThat(names(good)).isEqualTo(columns("schedule-runs-table.txt"));
    assertThat(good.at("/status").asText()).isEqualTo("SUCCESS");
    assertThat(good.at("/run_at").asText()).isEqualTo("2026-01-01T01:00:00Z");
    assertThat(good.at("/idempotency_key").asText())
        .isEqualTo(sha256(id + ":" + Instant.parse("2026-01-01T01:00:00Z").getEpochSecond()));
    assertThat(get().at("/runs/0/status")).isEqualTo("FAILED");
    assertThat(get().at("/runs/1/status")).isEqualTo("SUCCESS");
  }

  @Test
  void runs_on_their_way_are_shown_in_the_words_of_the_document() {
    site.put("/targets/elsewhere", "{\"type\": \"worker\"}");
    upsertFor("elsewhere", "* * * * *");
    site.carillon.pass(Duration.ofSeconds(60));
    Answer enqueued = get();
    Lease lease = fetch().get(0).lease();
    Answer started = get();
    site.carillon.pass(Duration.ofSeconds(60));
    fetch();
    Answer skipped = get();
    site.carillon
        .runs()
        .report(lease.id(), Report.succeeded().externalId("e-1").fence(lease.fence()));

    assertThat(status(enqueued, "00:01")).isEqualTo("ENQUEUED");
    assertThat(status(started, "00:01")).isEqualTo("STARTED");
    assertThat(status(skipped, "00:02")).isEqualTo("SKIPPED");
    assertThat(status(get(), "00:01")).isEqualTo("SUCCESS");
    assertThat(get().json().findValuesAsText("run_id")).contains("e-1");
  }

  /** Let a worker take what is due. */
  private List<LeasedRun> fetch() {
    return site.carillon
        .carillon()
        .pullWorkers()
        .claim("w", List.of("elsewhere"), 10, Duration.ofHours(1));
  }

  private static String status(Answer schedule, String time) {
    for (JsonNode run : schedule.json().get("runs")) {
      if (run.get("run_at").asText().equals("2026-01-01T" + time + ":00Z")) {
        return run.get("status").asText();
      }
    }
    return "none at " + time + " in " + schedule;
  }

  @Test
  void errors_are_reported_with_their_places() {
    Answer bad =
        upsert(
            List.of("workflow_id", "version", "user_id"),
            "\"cron_expr\": \"61 * * * *\"",
            "\"timezone\": \"Mars/Olympus\"",
            "\"jitter_ms\": -1",
            "\"overlap_policy\": \"never\"",
            "\"catchup_policy\": \"maybe\"",
            "\"jiter_ms\": 5");

    assertThat(bad.status()).isEqualTo(422);
    assertThat(bad.json().findValuesAsText("pointer"))
        .containsExactlyInAnyOrder(
            "/cron_expr",
            "/timezone",
            "/jitter_ms",
            "/overlap_policy",
            "/catchup_policy",
            "/jiter_ms");
    assertThat(bad.text()).contains("did you mean 'jitter_ms'?");
  }

  @Test
  void an_unknown_target_is_refused() {
    Answer bad = upsertFor("nowhere", "0 * * * *");

    assertThat(bad.status()).isEqualTo(422);
    assertThat(bad.at("/errors/0/pointer")).isEqualTo("/target");
  }

  @Test
  void reading_pausing_and_defining_need_their_roles() {
    upsertFor("noop", "0 * * * *");
    Request pausing =
        Request.of("POST", "/schedules/pause")
            .body("{\"schedule_id\": \"%s\", \"paused\": true}".formatted(id));

    assertThat(site.send(site.as(Role.VIEWER, Request.of("GET", "/schedules/" + id))).status())
        .isEqualTo(200);
    assertThat(site.send(site.as(Role.VIEWER, pausing)).status()).isEqualTo(403);
    assertThat(site.send(site.as(Role.OPERATOR, pausing)).status()).isEqualTo(204);
    assertThat(site.send(site.as(Role.OPERATOR, Request.of("DELETE", "/schedules/" + id))).status())
        .isEqualTo(403);
    assertThat(site.send(site.as(Role.EDITOR, Request.of("DELETE", "/schedules/" + id))).status())
        .isEqualTo(204);
  }

  @Test
  void a_schedule_of_another_kind_is_shown_as_far_as_the_document_goes() {
    site.put("/schedules/" + id, "{\"target\": \"noop\", \"timing\": {\"every\": \"PT90S\"}}");
    Answer told = get();

    assertThat(told.at("/cron_expr")).isEqualTo("@every 90s");
    assertThat(told.at("/timezone")).isEqualTo("UTC");
    assertThat(told.json().get("workflow_id").isNull()).isTrue();
  }

  private static List<String> columns(String table) {
    return SourceText.columns(table);
  }

  private static List<String> names(JsonNode object) {
    var names = new ArrayList<String>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  private static String sha256(String text) throws Exception {
    return HexFormat.of()
        .formatHex(
            MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
  }
}
