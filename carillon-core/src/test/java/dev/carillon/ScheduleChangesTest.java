package dev.carillon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.carillon.event.Event;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.Psql;
import dev.carillon.model.Decision;
import dev.carillon.model.Saved;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.store.Database;
import dev.carillon.store.ScheduleStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What changes do to runs that are planned ahead, to the cursor, and to slots without runs. */
@ExtendWith(EmbeddedPostgres.class)
class ScheduleChangesTest {
  private final String key = "k-" + UUID.randomUUID();
  private final ScheduleDraft minutely = ScheduleDraft.named(key).target("log").cron("* * * * *");
  private final Psql psql;
  private final Database database;
  private final ScheduleStore store;
  private final Schedules schedules;
  private Instant now = Instant.parse("2026-03-01T10:00:30Z");
  private long id;

  ScheduleChangesTest(DataSource postgres) {
    psql = new Psql(postgres);
    database = new Database(postgres);
    store = new ScheduleStore(database);
    schedules = SchedulesOn.database(database, () -> now, Set.of("log"), event -> {}, () -> {});
  }

  @Test
  void an_edit_takes_back_what_is_to_come_and_plans_it_anew() {
    create(minutely);
    plannedAhead("10:01:00", "10:02:00", "10:03:00");

    schedules.upsert(minutely.description("other"));

    assertThat(runs()).isEmpty();
    assertThat(cursor()).isEqualTo("10:00:30 10:01:00 0");
  }

  @Test
  void an_edit_keeps_what_has_started_or_is_due() {
    create(minutely);
    plan("10:00:00", "10:00:00", "running");
    plan("10:01:00", "10:01:00", "pending");
    plan("10:02:00", "10:02:00", "pending");
    cursor("10:02:00", "10:03:00", 3);
    pass(Duration.ofSeconds(35));

    schedules.upsert(minutely.cron("*/2 * * * *"));

    assertThat(runs()).containsExactly("10:00:00 running null", "10:01:00 pending null");
    assertThat(cursor()).isEqualTo("10:01:05 10:02:00 2");
  }

  @Test
  void an_edit_keeps_a_run_whose_slot_has_passed_though_jitter_makes_it_due_later() {
    create(minutely);
    plan("10:00:00", "10:00:45", "pending");
    cursor("10:00:00", "10:01:00", 1);

    schedules.upsert(minutely.description("other"));

    assertThat(runs()).containsExactly("10:00:00 pending null");
    assertThat(cursor()).isEqualTo("10:00:30 10:01:00 1");
  }

  @Test
  void a_run_that_jitter_started_before_its_slot_is_not_planned_twice() {
    create(minutely);
    plan("10:01:00", "10:00:20", "running");
    plan("10:02:00", "10:01:40", "pending");
    cursor("10:02:00", "10:03:00", 2);

    schedules.upsert(minutely.description("other"));

    assertThat(runs()).containsExactly("10:01:00 running null");
    assertThat(cursor()).isEqualTo("10:00:30 10:01:00 1");
    assertThat(plannedBefore()).containsExactly("10:01:00");
  }

  @Test
  void a_run_that_jitter_let_finish_before_its_slot_is_not_planned_twice() {
    create(minutely);
    finished("10:01:00");
    cursor("10:01:00", "10:02:00", 1);

    schedules.pause(key, "why");
    assertThat(cursor()).isEqualTo("10:00:30 null 1");
    schedules.resume(key);

    assertThat(cursor()).isEqualTo("10:00:30 10:01:00 1");
    assertThat(plannedBefore()).containsExactly("10:01:00");
  }

  @Test
  void an_edit_leaves_manual_runs_and_retries_alone() {
    create(minutely);
    plan("10:01:00", "10:01:00", "pending");
    psql.execute("update carillon.run set attempt = 1 where schedule_id = ?", id);
    psql.execute(
        """
        insert into carillon.run (schedule_id, slot, ordinal, version, trigger, target, payload, due_at)
        values (?, ?, 1, 1, 'manual', 'log', '{}', ?)
        """,
        id,
        at("10:01:30"),
        at("10:01:30"));

    schedules.upsert(minutely.description("other"));

    assertThat(runs()).containsExactly("10:01:00 pending null", "10:01:30 pending null");
    assertThat(cursor()).isEqualTo("10:00:30 10:01:00 0");
    assertThat(plannedBefore()).containsExactly("10:01:00");
  }

  @Test
  void an_edit_records_slots_that_nobody_had_planned_yet() {
    create(minutely);
    finished("10:02:00");
    pass(Duration.ofMinutes(3));

    schedules.upsert(minutely.cron("0 0 * * *"));

    assertThat(decisions())
        .containsExactly("10:01:00 10:01:00 1 MISSED v1", "10:03:00 10:03:00 1 MISSED v1");
    assertThat(cursor()).startsWith("10:03:30 ");
  }

  @Test
  void an_edit_counts_runs_towards_the_most_there_may_be() {
    create(minutely.maxRuns(5));
    finished("09:59:00");
    plannedAhead("10:01:00", "10:02:00");
    psql.execute("update carillon.cursor set planned_runs = 3 where schedule_id = ?", id);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> schedules.patch(key, draft -> draft.maxRuns(1)))
        .withMessage(
            "schedule '%s' would never fire: it has had 1 run of at most 1; allow more runs, or"
                + " retire it",
            key);
    schedules.patch(key, draft -> draft.maxRuns(2));

    assertThat(cursor()).isEqualTo("10:00:30 10:01:00 1");
  }

  @Test
  void an_edit_of_a_paused_schedule_records_the_pause_under_the_old_definition() {
    create(minutely);
    schedules.pause(key, "why");
    pass(Duration.ofMinutes(2));

    Saved saved = schedules.upsert(minutely.cron("0 * * * *"));

    assertThat(saved.schedule().status()).isEqualTo(ScheduleStatus.PAUSED);
    assertThat(decisions()).containsExactly("10:01:00 10:02:00 2 PAUSED v1");
    assertThat(cursor()).isEqualTo("10:02:30 null 0");

    pass(Duration.ofHours(1));
    schedules.resume(key);

    assertThat(decisions())
        .containsExactly("10:01:00 10:02:00 2 PAUSED v1", "11:00:00 11:00:00 1 PAUSED v2");
    assertThat(cursor()).isEqualTo("11:02:30 12:00:00 0");
  }

  @Test
  void an_edit_waits_for_a_run_that_decides_when_the_next_one_is() {
    ScheduleDraft paced = minutely.every(Duration.ofMinutes(1)).afterFinish();
    create(paced);
    plan("10:00:00", "10:00:00", "running");
    sequel("repeat");
    cursor("10:00:00", null, 1);

    schedules.upsert(paced.description("other"));
    assertThat(cursor()).isEqualTo("10:00:30 null 1");
    assertThat(runs()).containsExactly("10:00:00 running repeat");

    schedules.upsert(minutely);
    assertThat(cursor()).isEqualTo("10:00:30 10:01:00 1");
    assertThat(runs()).containsExactly("10:00:00 running null");
  }

  @Test
  void an_edit_that_adds_slots_keeps_the_last_run_from_retiring_the_schedule() {
    create(minutely.maxRuns(1));
    plan("10:00:00", "10:00:00", "running");
    sequel("retire");
    cursor("10:00:00", null, 1);

    schedules.upsert(minutely.maxRuns(2));

    assertThat(runs()).containsExactly("10:00:00 running null");
    assertThat(cursor()).isEqualTo("10:00:30 10:01:00 1");
  }

  @Test
  void a_one_shot_that_has_run_does_not_run_again_for_an_edit() {
    ScheduleDraft once = ScheduleDraft.named(key).target("log").at(at("10:00:25"));
    create(once);
    finished("10:00:25");
    psql.execute("update carillon.schedule set status = 'retired' where id = ?", id);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> schedules.upsert(once.description("other")))
        .withMessage(
            "schedule '%s' would never fire: its time 2026-03-01T10:00:25Z is not after its last slot"
                + " 2026-03-01T10:00:25Z; use a later time, or a run without a schedule",
            key);
  }

  @Test
  void a_pause_takes_back_what_is_not_due_and_says_so_of_passed_slots() {
    create(minutely);
    plan("09:57:00", "10:05:00", "pending");
    plan("09:58:00", "10:06:00", "pending");
    plan("10:00:00", "10:00:45", "pending");
    plannedAhead("10:01:00", "10:02:00");
    cursor("10:02:00", "10:03:00", 5);

    schedules.pause(key, "why");

    assertThat(runs()).isEmpty();
    assertThat(decisions())
        .containsExactly("09:57:00 09:58:00 2 PAUSED v1", "10:00:00 10:00:00 1 PAUSED v1");
    assertThat(cursor()).isEqualTo("10:00:30 null 0");
  }

  @Test
  void a_pause_keeps_what_is_due() {
    create(minutely);
    plan("09:59:00", "09:59:00", "running");
    plan("10:00:00", "10:00:00", "pending");
    cursor("10:00:00", "10:01:00", 2);

    schedules.pause(key, "why");

    assertThat(runs()).containsExactly("09:59:00 running null", "10:00:00 pending null");
    assertThat(cursor()).isEqualTo("10:00:30 null 2");
  }

  @Test
  void resuming_records_the_slots_of_the_pause_as_one_range() {
    create(minutely);
    schedules.pause(key, "why");
    pass(Duration.ofDays(7));

    schedules.resume(key);

    assertThat(schedules.decisions(key, Instant.MIN, Instant.MAX, 10))
        .singleElement()
        .satisfies(
            decision -> {
              assertThat(decision.dropped().slots()).isEqualTo(7 * 24 * 60);
              assertThat(decision.dropped().first()).isEqualTo(at("10:01:00"));
              assertThat(decision.dropped().last())
                  .isEqualTo(Instant.parse("2026-03-08T10:00:00Z"));
              assertThat(decision.decidedAt()).isEqualTo(now);
            });
    assertThat(schedules.get(key).orElseThrow().nextSlot())
        .contains(Instant.parse("2026-03-08T10:01:00Z"));
  }

  @Test
  void a_slot_that_was_run_by_hand_during_a_pause_is_not_said_to_be_dropped() {
    create(minutely);
    schedules.pause(key, "why");
    finished("10:02:00");
    pass(Duration.ofMinutes(3));

    schedules.resume(key);

    assertThat(decisions())
        .containsExactly("10:01:00 10:01:00 1 PAUSED v1", "10:03:00 10:03:00 1 PAUSED v1");
  }

  @Test
  void decisions_are_found_by_the_slots_they_are_about() {
    create(minutely);
    schedules.pause(key, "why");
    pass(Duration.ofMinutes(5));
    schedules.resume(key);

    assertThat(schedules.decisions(key, at("10:03:00"), at("10:03:00"), 10)).hasSize(1);
    assertThat(schedules.decisions(key, at("10:06:00"), at("10:09:00"), 10)).isEmpty();
  }

  @Test
  void a_one_shot_whose_time_passes_in_a_pause_is_complete_when_resumed() {
    create(ScheduleDraft.named(key).target("log").at(at("10:01:00")));
    schedules.pause(key, "why");
    pass(Duration.ofMinutes(5));

    Saved resumed = schedules.resume(key).orElseThrow();

    assertThat(resumed.change()).isEqualTo(Saved.Change.COMPLETED);
    assertThat(resumed.schedule().status()).isEqualTo(ScheduleStatus.RETIRED);
    assertThat(decisions()).containsExactly("10:01:00 10:01:00 1 PAUSED v1");
    assertThat(actions()).first().isEqualTo("schedule.completed");
  }

  @Test
  void a_schedule_whose_last_run_is_on_its_way_stays_active_when_resumed() {
    create(minutely.maxRuns(1));
    plan("10:00:00", "10:00:00", "running");
    sequel("retire");
    cursor("10:00:00", null, 1);
    schedules.pause(key, "why");

    Saved resumed = schedules.resume(key).orElseThrow();

    assertThat(resumed.change()).isEqualTo(Saved.Change.RESUMED);
    assertThat(cursor()).isEqualTo("10:00:30 null 1");
  }

  @Test
  void resuming_forgets_failures_in_a_row() {
    create(minutely.pauseAfterFailures(2));
    psql.execute("insert into carillon.failing values (?, 2, 'epoch')", id);
    schedules.pause(key, "why");

    schedules.resume(key);

    assertThat(psql.rows("select 1 from carillon.failing where schedule_id = ?", id)).isEmpty();
  }

  @Test
  void retiring_takes_back_what_is_not_due_and_ends_the_version() {
    create(minutely);
    plan("09:59:00", "10:05:00", "pending");
    plannedAhead("10:01:00", "10:02:00");
    cursor("10:02:00", "10:03:00", 3);

    schedules.retire(key);

    assertThat(runs()).isEmpty();
    assertThat(decisions()).isEmpty();
    assertThat(cursor()).isEqualTo("10:00:30 null 0");
    assertThat(schedules.versions(key).get(0).retiredAt()).contains(now);
  }

  @Test
  void a_revived_schedule_counts_its_runs_anew() {
    create(minutely.maxRuns(2));
    plan("10:00:00", "10:00:00", "running");
    cursor("10:00:00", "10:01:00", 2);
    schedules.retire(key);

    schedules.upsert(minutely.maxRuns(2));

    assertThat(cursor()).isEqualTo("10:00:30 10:01:00 0");
  }

  @Test
  void whoever_waited_for_a_lock_does_not_turn_back_time() {
    create(minutely);
    Instant before = now;
    pass(Duration.ofMinutes(5));
    schedules.pause(key, "why");
    now = before;

    schedules.upsert(minutely.description("late"));

    assertThat(cursor()).startsWith("10:05:30 ");
    assertThat(schedules.get(key).orElseThrow().updated().at()).isEqualTo(at("10:05:30"));
  }

  @Test
  void a_pause_with_an_end_ends_by_itself_and_its_later_slots_count() {
    create(minutely);
    schedules.pause(key, "why", at("10:02:15"));
    assertThat(database.inTransaction(() -> store.resumeDue(at("10:02:14")))).isEmpty();
    pass(Duration.ofMinutes(10));

    List<Event.Changed> told = database.inTransaction(() -> store.resumeDue(now));

    assertThat(told)
        .contains(new Event.Changed(now, key, "schedule.resumed", "carillon", Optional.empty()));
    assertThat(decisions()).containsExactly("10:01:00 10:02:00 2 PAUSED v1");
    assertThat(cursor()).isEqualTo("10:02:15 10:03:00 0");
  }

  @Test
  void resuming_by_hand_after_the_end_of_a_pause_loses_no_slot_since() {
    create(minutely);
    schedules.pause(key, "why", at("10:02:15"));
    pass(Duration.ofMinutes(10));

    schedules.resume(key);

    assertThat(cursor()).isEqualTo("10:02:15 10:03:00 0");
  }

  @Test
  void only_active_schedules_without_a_slot_left_are_completed() {
    create(minutely);
    assertThat(database.inTransaction(() -> store.complete(List.of(id), now))).isEmpty();
    cursor("10:00:30", null, 0);

    List<Event.Changed> told = database.inTransaction(() -> store.complete(List.of(id), now));

    assertThat(told)
        .containsExactly(
            new Event.Changed(now, key, "schedule.completed", "carillon", Optional.empty()));
    assertThat(schedules.get(key).orElseThrow().status()).isEqualTo(ScheduleStatus.RETIRED);
    assertThat(schedules.versions(key).get(0).retiredAt()).contains(now);
    assertThat(actions()).first().isEqualTo("schedule.completed");
    assertThat(database.inTransaction(() -> store.complete(List.of(id), now))).isEmpty();
  }

  @Test
  void the_brake_pauses_with_the_last_failure_as_its_reason() {
    create(minutely);
    plannedAhead("10:01:00");

    Optional<Event.Changed> told =
        database.inTransaction(() -> store.brake(id, 5, "timeout: no answer", now));

    String reason = "5 failures in a row, the last: timeout: no answer";
    assertThat(told)
        .contains(new Event.Changed(now, key, "schedule.paused", "carillon", Optional.of(reason)));
    assertThat(schedules.get(key).orElseThrow().pause().orElseThrow().reason()).isEqualTo(reason);
    assertThat(runs()).isEmpty();
    assertThat(database.inTransaction(() -> store.brake(id, 6, "", now))).isEmpty();
  }

  @Test
  void the_brake_holds_whatever_the_failure_says() {
    create(minutely);

    database.inTransaction(() -> store.brake(id, 1, "\0" + "😀".repeat(600), now));

    assertThat(schedules.get(key).orElseThrow().pause().orElseThrow().reason())
        .startsWith("1 failure, the last:  😀")
        .endsWith("😀…");
  }

  private void create(ScheduleDraft draft) {
    id = schedules.create(draft).schedule().id();
  }

  private void plannedAhead(String... times) {
    for (String time : times) {
      plan(time, time, "pending");
    }
    Instant last = at(times[times.length - 1]);
    psql.execute(
        """
        update carillon.cursor
           set planned_through = ?, next_slot = ?, plan_by = ?, planned_runs = planned_runs + ?
         where schedule_id = ?
        """,
        last,
        last.plusSeconds(60),
        last.plusSeconds(60),
        times.length,
        id);
  }

  private void plan(String slot, String dueAt, String state) {
    psql.execute(
        """
        insert into carillon.run
               (schedule_id, slot, version, trigger, target, payload, due_at, state, attempt, node_id, node_epoch,
                started_at)
        values (?, ?, 1, 'scheduled', 'log', '{}', ?, ?, ?, gen_random_uuid(), 1, 'epoch')
        """,
        id,
        at(slot),
        at(dueAt),
        state,
        state.equals("running") ? 1 : 0);
  }

  private void sequel(String sequel) {
    psql.execute("update carillon.run set sequel = ? where schedule_id = ?", sequel, id);
  }

  private void finished(String slot) {
    psql.execute(
        """
        insert into carillon.history
               (schedule_id, slot, ordinal, version, target, payload, due_at, trigger, attempt, finished_at, state)
        values (?, ?, 0, 1, 'log', '{}', ?, 'scheduled', 1, ?, 'succeeded')
        """,
        id,
        at(slot),
        at(slot),
        at(slot));
  }

  private void cursor(String through, @Nullable String next, int runs) {
    psql.execute(
        """
        update carillon.cursor
           set planned_through = ?, next_slot = ?::timestamptz, plan_by = ?::timestamptz, planned_runs = ?
         where schedule_id = ?
        """,
        at(through),
        next == null ? Optional.empty() : at(next),
        next == null ? Optional.empty() : at(next),
        runs,
        id);
  }

  /* Up to where slots that are to be planned may have a run already. */
  private List<String> plannedBefore() {
    return psql.rows(
        """
        select to_char(rewound_from at time zone 'UTC', 'HH24:MI:SS')
          from carillon.cursor
         where schedule_id = ?
        """,
        id);
  }

  private String cursor() {
    return ofTheDay(
            psql.rows(
                "select planned_through, next_slot, planned_runs from carillon.cursor where schedule_id = ?",
                id))
        .get(0);
  }

  private List<String> runs() {
    return ofTheDay(
        psql.rows(
            "select slot, state, sequel from carillon.run where schedule_id = ? order by slot",
            id));
  }

  private List<String> decisions() {
    return schedules.decisions(key, Instant.MIN, Instant.MAX, 100).stream()
        .map(ScheduleChangesTest::said)
        .toList();
  }

  private static String said(Decision decision) {
    return ofTheDay(
            List.of(
                "%s %s %s %s v%s"
                    .formatted(
                        decision.dropped().first(),
                        decision.dropped().last(),
                        decision.dropped().slots(),
                        decision.dropped().reason(),
                        decision.version())))
        .get(0);
  }

  private List<String> actions() {
    return psql.rows(
        "select action from carillon.audit where schedule_id = ? order by id desc", id);
  }

  private static List<String> ofTheDay(List<String> rows) {
    return rows.stream().map(row -> row.replaceAll("2026-03-01T([0-9:]+)Z", "$1")).toList();
  }

  private static Instant at(String time) {
    return Instant.parse("2026-03-01T" + time + "Z");
  }

  private void pass(Duration time) {
    now = now.plus(time);
  }
}
