package dev.carillon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.event.EngineLoop;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.model.AuditFilter;
import dev.carillon.model.RunFilter;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.policy.Overlap;
import dev.carillon.policy.Retry;
import dev.carillon.testing.ManualCarillon;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nonsense is refused at once, with the value and the cure, and leaves nothing behind. */
@ExtendWith(EmbeddedPostgres.class)
class RefusalsTest {
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  private final DataSource postgres;
  private final Belfry belfry;
  private final ManualCarillon node;

  RefusalsTest(DataSource postgres) {
    this.postgres = postgres;
    belfry = new Belfry(postgres);
    node = belfry.node(builder -> builder.target("bell", context -> {}));
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  private static void refused(ThrowingCallable call, String message) {
    assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
  }

  private CarillonBuilder builder() {
    return Carillon.builder().dataSource(postgres);
  }

  private List<String> runs() {
    return belfry.psql().rows("select * from carillon.any_run");
  }

  @Test
  void a_scheduler_without_a_database() {
    assertThatThrownBy(() -> Carillon.builder().build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "a scheduler needs a database; call dataSource(…) with a PostgreSQL before build()");
  }

  @Test
  void a_target_that_is_registered_twice() {
    refused(
        () -> builder().target("bell", context -> {}).target("bell", context -> {}),
        "target 'bell' is registered twice; a label has one target");
  }

  @Test
  void a_target_without_room() {
    refused(
        () -> builder().target("bell", context -> {}, 0),
        "target 'bell' needs room for at least 1 run; was 0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " bell", "bell\n", "a\0b"})
  void a_label_that_is_no_name(String label) {
    assertThatThrownBy(() -> builder().target(label, context -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a target");
    assertThatThrownBy(() -> builder().remoteTarget(label))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> RunDraft.of(label)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_lease_shorter_than_two_heartbeats() {
    refused(
        () -> builder().heartbeat(Duration.ofSeconds(5)).lease(Duration.ofSeconds(9)).build(),
        "the lease must be at least two heartbeats, so that one may be late;"
            + " was PT9S with a heartbeat of PT5S");
  }

  @Test
  void settings_out_of_bounds() {
    refused(
        () -> builder().poll(Duration.ZERO).build(), "poll must be from PT0.01S to PT1M; was PT0S");
    refused(
        () -> builder().lookahead(Duration.ofDays(2)).build(),
        "lookahead must be from PT1S to PT24H; was PT48H");
    refused(
        () -> builder().heartbeat(Duration.ofMillis(-1)).build(),
        "heartbeat must be from PT0.05S to PT5M; was PT-0.001S");
    refused(
        () -> builder().drain(Duration.ofDays(2)).build(),
        "drain must be from PT0S to PT24H; was PT48H");
    refused(
        () -> builder().retention(Duration.ofHours(1)).build(),
        "retention must be from PT24H to PT876600H; was PT1H");
    refused(
        () -> builder().concurrency(0).build(),
        "concurrency must be from 1 to 100000 runs at a time; was 0");
  }

  @Test
  void settings_out_of_bounds_for_a_scheduler_that_is_turned_by_hand() {
    assertThatThrownBy(() -> ManualCarillon.on(postgres).with(b -> b.concurrency(-1)).start())
        .hasMessage("concurrency must be from 1 to 100000 runs at a time; was -1");
  }

  @Test
  void a_node_name_that_is_no_name() {
    assertThatThrownBy(() -> builder().nodeName(" ")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_run_of_an_unknown_target_names_those_that_are_known() {
    refused(
        () -> node.runs().enqueue(RunDraft.of("bel")),
        "no run can have the unknown target 'bel'; known are bell");
    assertThat(runs()).isEmpty();
  }

  @Test
  void a_batch_with_one_bad_run_leaves_nothing() {
    assertThatThrownBy(
            () -> node.runs().enqueueAll(List.of(RunDraft.of("bell"), RunDraft.of("gong"))))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(runs()).isEmpty();
  }

  @Test
  void an_empty_batch_is_fine() {
    assertThat(node.runs().enqueueAll(List.of())).isEmpty();
  }

  @Test
  void a_run_before_its_delay() {
    refused(
        () -> RunDraft.of("bell").in(Duration.ofSeconds(-1)),
        "a delay must be from 0 to 36525d; was PT-1S");
  }

  @Test
  void a_run_at_a_time_nobody_means() {
    refused(
        () -> RunDraft.of("bell").at(Instant.ofEpochSecond(1_700_000_000_000L)),
        "at must be from 1970 to 9999; was +55840-11-08T22:13:20Z; check its unit");
    refused(
        () -> RunDraft.of("bell").at(Instant.MIN),
        "at must be from 1970 to 9999; was -1000000000-01-01T00:00:00Z; check its unit");
  }

  @Test
  void work_that_is_done_at_most_once_and_tried_again() {
    String message = "work that is done at most once has no retries; leave out one of the two";
    refused(() -> RunDraft.of("bell").atMostOnce().retry(Retry.times(2)), message);
    refused(() -> RunDraft.of("bell").retry(Retry.times(2)).atMostOnce(), message);
  }

  @Test
  void a_timeout_that_is_none() {
    refused(
        () -> RunDraft.of("bell").timeout(Duration.ZERO),
        "timeout must be from 1 ms to 365d; was PT0S");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " x", "a\tb"})
  void a_correlation_that_is_no_word(String word) {
    assertThatThrownBy(() -> RunDraft.of("bell").correlation(word))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a correlation");
    assertThatThrownBy(() -> node.runs().cancelAll(word, "why"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void canceling_without_a_reason() {
    RunId id = node.runs().enqueue(RunDraft.of("bell").in(Duration.ofHours(1)));
    String message =
        "canceling needs a reason of 1 to 1000 characters: it is shown to whoever wonders";
    refused(() -> node.runs().cancel(id, " "), message);
    refused(() -> node.runs().cancel(id, "x".repeat(1_001)), message);
    refused(() -> node.runs().cancelAll("word", ""), message);

    assertThat(node.runs().get(id).orElseThrow().state()).isEqualTo(RunState.PENDING);
  }

  @Test
  void a_reason_that_cannot_be_stored_is_stored_readably() {
    RunId id = node.runs().enqueue(RunDraft.of("bell").in(Duration.ofHours(1)));
    node.runs().cancel(id, "nul \0 and half \ud83d of a pair");

    assertThat(node.runs().get(id).orElseThrow().reason().orElseThrow()).startsWith("nul ");
  }

  @Test
  void a_page_of_nothing_or_of_too_much() {
    refused(() -> RunFilter.all().limit(0), "a page has from 1 to 500 runs; was 0");
    refused(() -> RunFilter.all().limit(501), "a page has from 1 to 500 runs; was 501");
    refused(() -> node.runs().deadLetters(0), "a page has from 1 to 500 runs; was 0");
  }

  @Test
  void a_search_for_words_that_cannot_be_stored() {
    String message = " must not hold \\u0000 or half of a surrogate pair; nothing stored has them";
    refused(() -> node.runs().ofSchedule("a\0b"), "schedule" + message);
    refused(() -> RunFilter.all().target("a\ud83d"), "target" + message);
    refused(() -> RunFilter.all().correlation("a\0b"), "correlation" + message);
    refused(() -> AuditFilter.all().schedule("a\0b"), "schedule" + message);
    refused(() -> AuditFilter.all().actor("a\0b"), "actor" + message);
    refused(() -> AuditFilter.all().action("a\0b"), "action" + message);
  }

  @Test
  void a_span_beyond_what_the_database_knows_is_everything() {
    node.runs().enqueue(RunDraft.of("bell"));

    assertThat(node.runs().list(RunFilter.all().between(Instant.MIN, Instant.MAX))).hasSize(1);
    assertThat(node.runs().deadLetters(Instant.MAX, 10)).isEmpty();
    assertThat(node.runs().deadLetters(Instant.MIN, 10)).isEmpty();
  }

  @Test
  void a_schedule_whose_queue_has_no_end() {
    refused(
        () -> ScheduleDraft.named("endless").overlap(Overlap.IN_TURN),
        "only runs that somebody asks for wait as long as it takes; a schedule has"
            + " Overlap.queue(cap)");
  }

  @Test
  void a_backfill_that_ends_before_it_begins() {
    refused(
        () -> BackfillDraft.between(NOON, NOON.minusSeconds(1)),
        "a backfill must not end before it begins;"
            + " was from 2026-03-01T12:00:00Z to 2026-03-01T11:59:59Z");
  }

  @Test
  void a_backfill_of_nothing_or_of_too_much() {
    var draft = BackfillDraft.between(NOON, NOON);
    refused(() -> draft.limit(0), "a backfill makes from 1 to 10000 runs; was 0");
    refused(() -> draft.limit(10_001), "a backfill makes from 1 to 10000 runs; was 10001");
    refused(
        () -> draft.spread(Duration.ofSeconds(-1)), "a delay must be from 0 to 36525d; was PT-1S");
  }

  @Test
  void a_backfill_of_a_schedule_without_slots() {
    node.schedules()
        .create(
            ScheduleDraft.named("after")
                .target("bell")
                .every(Duration.ofSeconds(30))
                .afterFinish());

    refused(
        () ->
            node.schedules().backfill("after", BackfillDraft.between(NOON.minusSeconds(60), NOON)),
        "schedule 'after' has no past slots: each begins when a run has ended");
  }

  @Test
  void a_backfill_of_what_is_unknown_or_retired_is_empty() {
    node.schedules().create(ScheduleDraft.named("daily").target("bell").cron("0 0 * * *"));
    node.schedules().retire("daily");
    var draft = BackfillDraft.between(NOON.minus(Duration.ofDays(5)), NOON);

    assertThat(node.schedules().backfill("daily", draft)).isEmpty();
    assertThat(node.schedules().backfill("unknown", draft)).isEmpty();
    assertThat(node.schedules().previewBackfill("unknown", draft)).isEmpty();
    assertThat(node.schedules().previewBackfill("daily", draft)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ann", "a\0b"})
  void an_actor_that_is_no_name(String actor) {
    assertThatThrownBy(() -> node.runs().as(actor)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> node.schedules().as(actor))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_loop_that_is_not_turned_by_hand() {
    assertThatThrownBy(() -> node.turn(EngineLoop.SIGNALS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "SIGNALS turns by itself only; try [HEARTBEAT, RECOVERY, PLANNING, CLAIMING,"
                + " LAUNCHING, TIMEOUTS, COMPLETION, EXPIRY, DEADLINES, PULLING, HOUSEKEEPING]");
  }
}
