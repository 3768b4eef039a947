package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.BackfillDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.model.IdempotencyKey;
import dev.carillon.model.Payload;
import dev.carillon.model.Run;
import dev.carillon.model.RunFilter;
import dev.carillon.model.RunState;
import dev.carillon.policy.Retry;
import dev.carillon.target.LeasedRun;
import dev.carillon.template.TemplateSyntaxException;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.time.InvalidValueException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Payloads that are templates, from the draft to what handlers and workers see. */
@ExtendWith(EmbeddedPostgres.class)
class TemplatedRunsTest {
  private static final Duration LEASE = Duration.ofMinutes(1);

  private final Belfry belfry;
  private final ManualCarillon node;
  private final List<String> seen = new ArrayList<>();
  private int failures;

  TemplatedRunsTest(DataSource postgres) {
    belfry = new Belfry(postgres);
    node =
        belfry.node(
            builder ->
                builder
                    .target(
                        "bell",
                        context -> {
                          seen.add(context.payload().json());
                          if (failures-- > 0) {
                            throw new IllegalStateException("not yet");
                          }
                        })
                    .transactionalTarget(
                        "books", (context, connection) -> seen.add(context.payload().json()))
                    .remoteTarget("press"));
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  private static ScheduleDraft nightly(String target) {
    return ScheduleDraft.named("nightly").target(target).cron("0 0 * * *", "Europe/Rome");
  }

  private static ScheduleDraft dated(String target) {
    return nightly(target)
        .payload(Map.of("day", "${slot-1d:yyyy-MM-dd}", "try", "${attempt}", "of", "${key}"))
        .template();
  }

  private List<Run> runs() {
    return node.runs().list(RunFilter.bySchedule("nightly"));
  }

  private Run only() {
    assertThat(runs()).hasSize(1);
    return runs().get(0);
  }

  @Test
  void a_handler_sees_the_payload_filled_in_with_dates_in_the_zone_of_the_schedule() {
    node.schedules().create(dated("bell"));
    node.pass(Duration.ofHours(23));

    assertThat(seen)
        .extracting(json -> Payload.json(json).content())
        .containsExactly(Map.of("day", "2026-03-01", "try", 1L, "of", "nightly"));
    assertThat(only().slot()).isEqualTo(Instant.parse("2026-03-01T23:00:00Z"));
  }

  @Test
  void the_history_keeps_what_was_written_and_the_key_of_the_run_does_not_change() {
    node.schedules().create(dated("bell"));
    node.pass(Duration.ofHours(23));

    assertThat(only().state()).isEqualTo(RunState.SUCCEEDED);
    assertThat(only().payload().text("day")).contains("${slot-1d:yyyy-MM-dd}");
    assertThat(only().idempotencyKey())
        .isEqualTo(IdempotencyKey.of(only().id(), Optional.of("nightly")));
  }

  @Test
  void a_retry_is_filled_in_with_its_own_attempt() {
    failures = 2;
    node.schedules().create(dated("bell").retry(Retry.times(3)));
    node.pass(Duration.ofHours(23));
    node.pass(Duration.ofMinutes(5));

    assertThat(seen)
        .extracting(json -> Payload.json(json).number("try").orElseThrow())
        .containsExactly(1L, 2L, 3L);
    assertThat(only().state()).isEqualTo(RunState.SUCCEEDED);
  }

  @Test
  void a_run_that_is_run_again_is_still_a_template() {
    failures = 1;
    node.schedules().create(dated("bell"));
    node.pass(Duration.ofHours(23));
    node.runs().redrive(List.of(only().id()));
    node.runDue();

    assertThat(seen)
        .extracting(json -> Payload.json(json).number("try").orElseThrow())
        .containsExactly(1L, 2L);
  }

  @Test
  void a_run_is_run_again_with_another_payload_only_if_that_can_be_filled_in() {
    failures = 1;
    node.schedules().create(dated("bell"));
    node.pass(Duration.ofHours(23));

    assertThatThrownBy(() -> node.runs().retry(only().id(), Payload.of("a", "${payload.b}")))
        .isInstanceOf(TemplateSyntaxException.class);
    assertThat(only().state()).isEqualTo(RunState.FAILED);
    node.runs().retry(only().id(), Payload.of("a", "${attempt}"));
    node.runDue();
    assertThat(seen).hasSize(2).last().isEqualTo("{\"a\":2}");
  }

  @Test
  void a_transactional_handler_sees_it_filled_in() {
    node.schedules().create(dated("books"));
    node.pass(Duration.ofHours(23));

    assertThat(seen).hasSize(1);
    assertThat(Payload.json(seen.get(0)).text("day")).contains("2026-03-01");
    assertThat(only().state()).isEqualTo(RunState.SUCCEEDED);
  }

  @Test
  void a_manual_run_and_a_backfill_are_filled_in_too() {
    node.schedules().create(dated("bell"));
    node.schedules().runNow("nightly");
    node.runDue();
    node.schedules().runNow("nightly", Payload.of("own", "${slot:HH:mm}"));
    node.runDue();
    Instant past = Instant.parse("2026-02-20T23:00:00Z");
    node.schedules().backfill("nightly", BackfillDraft.between(past, past));
    node.runDue();

    assertThat(seen).hasSize(3);
    assertThat(Payload.json(seen.get(0)).text("day")).contains("2026-02-28");
    assertThat(Payload.json(seen.get(1)).text("own")).contains("01:00");
    assertThat(Payload.json(seen.get(2)).text("day")).contains("2026-02-20");
  }

  @Test
  void without_template_a_payload_is_taken_as_it_is() {
    node.schedules().create(nightly("bell").payload("text", "${slot} ${nothing} $${"));
    node.pass(Duration.ofHours(23));

    assertThat(Payload.json(seen.get(0)).text("text")).contains("${slot} ${nothing} $${");
  }

  @Test
  void a_worker_is_given_the_payload_filled_in() {
    node.schedules().create(dated("press"));
    node.pass(Duration.ofHours(23));
    List<LeasedRun> leased =
        node.carillon().pullWorkers().claim("anna", List.of("press"), 10, LEASE);

    assertThat(leased)
        .singleElement()
        .satisfies(one -> assertThat(one.run().payload().text("day")).contains("2026-03-01"));
    assertThat(only().payload().text("day")).contains("${slot-1d:yyyy-MM-dd}");
  }

  private void breakPayload(String json) {
    belfry.psql().execute("update carillon.run set payload = '" + json + "'");
  }

  @Test
  void a_run_that_cannot_be_filled_in_fails_alone_and_at_once() {
    node.schedules().create(dated("bell").retry(Retry.times(5)));
    node.pass(Duration.ofHours(22).plusMinutes(59).plusSeconds(30));
    breakPayload("{\"a\": \"${payload.b}\"}");
    node.pass(Duration.ofHours(24).plusSeconds(30));

    assertThat(runs())
        .extracting(Run::state)
        .containsExactlyInAnyOrder(RunState.FAILED, RunState.SUCCEEDED);
    Run failed =
        runs().stream().filter(run -> run.state() == RunState.FAILED).findFirst().orElseThrow();
    assertThat(failed.attempt()).isEqualTo(1);
    assertThat(failed.failure().orElseThrow().code()).isEqualTo("template_failed");
    assertThat(failed.failure().orElseThrow().message())
        .startsWith("payload/a: at character 1: the payload has no 'payload.b'");
  }

  @Test
  void a_run_that_grows_too_large_fails_with_a_code_of_its_own() {
    node.schedules().create(dated("bell"));
    node.pass(Duration.ofHours(22).plusMinutes(59).plusSeconds(30));
    breakPayload("{\"a\": \"" + "x".repeat(200_000) + "\", \"b\": \"${payload.a}${payload.a}\"}");
    node.pass(Duration.ofMinutes(1));

    assertThat(seen).isEmpty();
    assertThat(only().failure().orElseThrow().code()).isEqualTo("template_too_large");
  }

  @Test
  void a_worker_is_not_given_what_cannot_be_filled_in() {
    node.schedules().create(dated("press"));
    node.pass(Duration.ofHours(23));
    breakPayload("{\"a\": \"${slott}\"}");

    assertThat(node.carillon().pullWorkers().claim("anna", List.of("press"), 10, LEASE)).isEmpty();
    assertThat(only().state()).isEqualTo(RunState.FAILED);
    assertThat(only().failure().orElseThrow().code()).isEqualTo("template_failed");
  }

  @Test
  void a_template_that_cannot_be_filled_in_is_refused_before_it_is_stored() {
    ScheduleDraft wrong = nightly("bell").payload("a", List.of("${slott}")).template();

    assertThatThrownBy(() -> node.schedules().create(wrong))
        .isInstanceOf(TemplateSyntaxException.class)
        .hasMessageStartingWith("payload/a/0: at character 1: ");
    assertThatThrownBy(() -> node.schedules().upsert(wrong)).hasMessageContaining("slott");
    assertThatThrownBy(() -> node.schedules().dryRun(wrong)).hasMessageContaining("slott");
    assertThat(node.schedules().get("nightly")).isEmpty();
  }

  @Test
  void a_change_or_a_manual_run_is_refused_as_well() {
    node.schedules().create(dated("bell"));

    assertThatThrownBy(
            () -> node.schedules().patch("nightly", draft -> draft.payload("a", "${payload.b}")))
        .hasMessageContaining("no 'payload.b'");
    assertThatThrownBy(() -> node.schedules().runNow("nightly", Payload.of("a", "${payload.a}")))
        .hasMessageContaining("'payload.a' contains this text");
    assertThat(runs()).isEmpty();
  }

  @Test
  void a_payload_that_is_too_large_when_filled_in_is_refused() {
    var content = new LinkedHashMap<String, Object>();
    content.put("a", "x".repeat(150_000));
    content.put("b", "${payload.a}");

    assertThatThrownBy(() -> node.schedules().create(nightly("bell").payload(content).template()))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("more than 262144 bytes");
  }

  @Test
  void a_dry_run_shows_the_payload_of_the_next_run() {
    assertThat(node.schedules().dryRun(dated("bell")).example())
        .hasValueSatisfying(payload -> assertThat(payload.text("day")).contains("2026-03-01"));
    assertThat(node.schedules().dryRun(nightly("bell").payload("a", "${slot}")).example())
        .isEmpty();
  }

  @Test
  void another_zone_counts_for_runs_of_the_next_version() {
    node.schedules().create(dated("bell"));
    node.schedules().patch("nightly", draft -> draft.cron("0 0 * * *", "UTC"));
    node.pass(Duration.ofHours(24));

    assertThat(Payload.json(seen.get(0)).text("day")).contains("2026-03-01");
    assertThat(only().slot()).isEqualTo(Instant.parse("2026-03-02T00:00:00Z"));
  }
}
