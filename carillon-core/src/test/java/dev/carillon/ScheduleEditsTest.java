package dev.carillon;

import static dev.carillon.PlannedSchedule.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.Psql;
import dev.carillon.model.ChangeResult;
import dev.carillon.model.ScheduleStatus;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What edits do to runs that are planned ahead, to the cursor, and to slots without runs. */
@ExtendWith(EmbeddedPostgres.class)
class ScheduleEditsTest {
  private final PlannedSchedule planned;
  private final Schedules schedules;
  private final Psql psql;
  private final String key;
  private final ScheduleDraft minutely;

  ScheduleEditsTest(DataSource postgres) {
    planned = new PlannedSchedule(postgres);
    schedules = planned.schedules;
    psql = new Psql(postgres);
    key = planned.key;
    minutely = ScheduleDraft.named(planned.key).target("log").cron("* * * * *");
  }

  @Test
  void an_edit_takes_back_what_is_to_come_and_plans_it_anew() {
    planned.create(minutely);
    planned.plannedAhead("10:01:00", "10:02:00", "10:03:00");

    schedules.upsert(minutely.description("other"));

    assertThat(planned.runs()).isEmpty();
    assertThat(planned.cursor()).isEqualTo("10:00:30 10:01:00 0");
  }

  @Test
  void a_paused_schedule_is_changed_and_resumed_in_one_transaction() {
    planned.create(minutely);
    schedules.pause(key, "closed");
    ChangeResult upserted = schedules.upsertAndResume(minutely.description("other"));

    assertThat(upserted.change()).isEqualTo(ChangeResult.Change.NEW_VERSION);
    assertThat(upserted.schedule().status()).isEqualTo(ScheduleStatus.ACTIVE);
    assertThat(planned.cursor()).isEqualTo("10:00:30 10:01:00 0");
    assertThat(transactionsOfChanges()).containsExactly("1");

    schedules.pause(key, "closed again");
    ChangeResult patched =
        schedules.patchAndResume(key, 2, draft -> draft.description("third")).orElseThrow();
    assertThat(patched.schedule().version()).isEqualTo(3);
    assertThat(patched.schedule().status()).isEqualTo(ScheduleStatus.ACTIVE);
    assertThat(transactionsOfChanges()).containsExactly("2");
  }

  private List<String> transactionsOfChanges() {
    return psql.rows(
        """
        select count(distinct audit.xmin::text)
          from carillon.audit
          join carillon.schedule
            on schedule.id = audit.schedule_id
         where schedule.key = ?
           and audit.action in ('schedule.changed', 'schedule.resumed')
        """,
        key);
  }

  @Test
  void what_is_resumed_though_it_did_not_change_says_so() {
    planned.create(minutely);
    schedules.pause(key, "closed");

    ChangeResult same = schedules.upsertAndResume(minutely);

    assertThat(same.change()).isEqualTo(ChangeResult.Change.UNCHANGED);
    assertThat(same.schedule().status()).isEqualTo(ScheduleStatus.ACTIVE);
  }

  @Test
  void a_version_that_others_have_replaced_is_not_resumed() {
    planned.create(minutely);
    schedules.pause(key, "closed");

    ChangeResult stale =
        schedules.patchAndResume(key, 7, draft -> draft.description("x")).orElseThrow();

    assertThat(stale.change()).isEqualTo(ChangeResult.Change.STALE);
    assertThat(schedules.get(key).orElseThrow().status()).isEqualTo(ScheduleStatus.PAUSED);
  }

  @Test
  void an_edit_keeps_what_has_started_or_is_due() {
    planned.create(minutely);
    planned.plan("10:00:00", "10:00:00", "running");
    planned.plan("10:01:00", "10:01:00", "pending");
    planned.plan("10:02:00", "10:02:00", "pending");
    planned.cursor("10:02:00", "10:03:00", 3);
    planned.pass(Duration.ofSeconds(35));

    schedules.upsert(minutely.cron("*/2 * * * *"));

    assertThat(planned.runs()).containsExactly("10:00:00 running null", "10:01:00 pending null");
    assertThat(planned.cursor()).isEqualTo("10:01:05 10:02:00 2");
  }

  @Test
  void an_edit_keeps_a_run_whose_slot_has_passed_though_jitter_makes_it_due_later() {
    planned.create(minutely);
    planned.plan("10:00:00", "10:00:45", "pending");
    planned.cursor("10:00:00", "10:01:00", 1);

    schedules.upsert(minutely.description("other"));

    assertThat(planned.runs()).containsExactly("10:00:00 pending null");
    assertThat(planned.cursor()).isEqualTo("10:00:30 10:01:00 1");
  }

  @Test
  void a_run_that_jitter_started_before_its_slot_is_not_planned_twice() {
    planned.create(minutely);
    planned.plan("10:01:00", "10:00:20", "running");
    planned.plan("10:02:00", "10:01:40", "pending");
    planned.cursor("10:02:00", "10:03:00", 2);

    schedules.upsert(minutely.description("other"));

    assertThat(planned.runs()).containsExactly("10:01:00 running null");
    assertThat(planned.cursor()).isEqualTo("10:00:30 10:01:00 1");
    assertThat(planned.plannedBefore()).containsExactly("10:01:00");
  }

  @Test
  void a_run_that_jitter_let_finish_before_its_slot_is_not_planned_twice() {
    planned.create(minutely);
    planned.finished("10:01:00");
    planned.cursor("10:01:00", "10:02:00", 1);

    schedules.pause(key, "why");
    assertThat(planned.cursor()).isEqualTo("10:00:30 null 1");
    schedules.resume(key);

    assertThat(planned.cursor()).isEqualTo("10:00:30 10:01:00 1");
    assertThat(planned.plannedBefore()).containsExactly("10:01:00");
  }

  @Test
  void an_edit_leaves_manual_runs_and_retries_alone() {
    planned.create(minutely);
    planned.plan("10:01:00", "10:01:00", "pending");
    psql.execute("update carillon.run set attempt = 1 where schedule_id = ?", planned.id());
    psql.execute(
        """
        insert into carillon.run (schedule_id, slot, ordinal, version, trigger, target, payload, due_at)
        values (?, ?, 1, 1, 'manual', 'log', '{}', ?)
        """,
        planned.id(),
        at("10:01:30"),
        at("10:01:30"));

    schedules.upsert(minutely.description("other"));

    assertThat(planned.runs()).containsExactly("10:01:00 pending null", "10:01:30 pending null");
    assertThat(planned.cursor()).isEqualTo("10:00:30 10:01:00 0");
    assertThat(planned.plannedBefore()).containsExactly("10:01:00");
  }

  @Test
  void an_edit_records_slots_that_nobody_had_planned_yet() {
    planned.create(minutely);
    planned.finished("10:02:00");
    planned.pass(Duration.ofMinutes(3));

    schedules.upsert(minutely.cron("0 0 * * *"));

    assertThat(planned.decisions())
        .containsExactly("10:01:00 10:01:00 1 MISSED v1", "10:03:00 10:03:00 1 MISSED v1");
    assertThat(planned.cursor()).startsWith("10:03:30 ");
  }

  @Test
  void an_edit_counts_runs_towards_the_most_there_may_be() {
    planned.create(minutely.maxRuns(5));
    planned.finished("09:59:00");
    planned.plannedAhead("10:01:00", "10:02:00");
    psql.execute("update carillon.cursor set planned_runs = 3 where schedule_id = ?", planned.id());

    assertThatIllegalArgumentException()
        .isThrownBy(() -> schedules.patch(key, draft -> draft.maxRuns(1)))
        .withMessage(
            "schedule '%s' would never fire: it has had 1 run of at most 1; allow more runs, or"
                + " retire it",
            key);
    schedules.patch(key, draft -> draft.maxRuns(2));

    assertThat(planned.cursor()).isEqualTo("10:00:30 10:01:00 1");
  }

  @Test
  void an_edit_of_a_paused_schedule_records_the_pause_under_the_old_definition() {
    planned.create(minutely);
    schedules.pause(key, "why");
    planned.pass(Duration.ofMinutes(2));

    ChangeResult changeResult = schedules.upsert(minutely.cron("0 * * * *"));

    assertThat(changeResult.schedule().status()).isEqualTo(ScheduleStatus.PAUSED);
    assertThat(planned.decisions()).containsExactly("10:01:00 10:02:00 2 PAUSED v1");
    assertThat(planned.cursor()).isEqualTo("10:02:30 null 0");

    planned.pass(Duration.ofHours(1));
    schedules.resume(key);

    assertThat(planned.decisions())
        .containsExactly("10:01:00 10:02:00 2 PAUSED v1", "11:00:00 11:00:00 1 PAUSED v2");
    assertThat(planned.cursor()).isEqualTo("11:02:30 12:00:00 0");
  }

  @Test
  void an_edit_waits_for_a_run_that_decides_when_the_next_one_is() {
    ScheduleDraft paced = minutely.every(Duration.ofMinutes(1)).afterFinish();
    planned.create(paced);
    planned.plan("10:00:00", "10:00:00", "running");
    planned.sequel("repeat");
    planned.cursor("10:00:00", null, 1);

    schedules.upsert(paced.description("other"));
    assertThat(planned.cursor()).isEqualTo("10:00:30 null 1");
    assertThat(planned.runs()).containsExactly("10:00:00 running repeat");

    schedules.upsert(minutely);
    assertThat(planned.cursor()).isEqualTo("10:00:30 10:01:00 1");
    assertThat(planned.runs()).containsExactly("10:00:00 running null");
  }

  @Test
  void an_edit_that_adds_slots_keeps_the_last_run_from_retiring_the_schedule() {
    planned.create(minutely.maxRuns(1));
    planned.plan("10:00:00", "10:00:00", "running");
    planned.sequel("retire");
    planned.cursor("10:00:00", null, 1);

    schedules.upsert(minutely.maxRuns(2));

    assertThat(planned.runs()).containsExactly("10:00:00 running null");
    assertThat(planned.cursor()).isEqualTo("10:00:30 10:01:00 1");
  }

  @Test
  void a_one_shot_that_has_run_does_not_run_again_for_an_edit() {
    ScheduleDraft once = ScheduleDraft.named(key).target("log").at(at("10:00:25"));
    planned.create(once);
    planned.finished("10:00:25");
    psql.execute("update carillon.schedule set status = 'retired' where id = ?", planned.id());

    assertThatIllegalArgumentException()
        .isThrownBy(() -> schedules.upsert(once.description("other")))
        .withMessage(
            "schedule '%s' would never fire: its time 2026-03-01T10:00:25Z is not after its last slot"
                + " 2026-03-01T10:00:25Z; use a later time, or a run without a schedule",
            key);
  }
}
