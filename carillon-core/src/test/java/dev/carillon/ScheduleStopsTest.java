package dev.carillon;

import static dev.carillon.PlannedSchedule.at;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.event.Event;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.Psql;
import dev.carillon.model.ChangeResult;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.schedule.ScheduleChanges;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What pausing, resuming, retiring and braking do to runs that are planned ahead, and to slots. */
@ExtendWith(EmbeddedPostgres.class)
class ScheduleStopsTest {
  private final PlannedSchedule planned;
  private final Schedules schedules;
  private final Database database;
  private final Psql psql;
  private final String key;
  private final ScheduleDraft minutely;

  ScheduleStopsTest(DataSource postgres) {
    planned = new PlannedSchedule(postgres);
    schedules = planned.schedules;
    database = new Database(postgres);
    psql = new Psql(postgres);
    key = planned.key;
    minutely = ScheduleDraft.named(planned.key).target("log").cron("* * * * *");
  }

  @Test
  void a_pause_takes_back_what_is_not_due_and_says_so_of_passed_slots() {
    planned.create(minutely);
    planned.plan("09:57:00", "10:05:00", "pending");
    planned.plan("09:58:00", "10:06:00", "pending");
    planned.plan("10:00:00", "10:00:45", "pending");
    planned.plannedAhead("10:01:00", "10:02:00");
    planned.cursor("10:02:00", "10:03:00", 5);

    schedules.pause(key, "why");

    assertThat(planned.runs()).isEmpty();
    assertThat(planned.decisions())
        .containsExactly("09:57:00 09:58:00 2 PAUSED v1", "10:00:00 10:00:00 1 PAUSED v1");
    assertThat(planned.cursor()).isEqualTo("10:00:30 null 0");
  }

  @Test
  void a_pause_keeps_what_is_due() {
    planned.create(minutely);
    planned.plan("09:59:00", "09:59:00", "running");
    planned.plan("10:00:00", "10:00:00", "pending");
    planned.cursor("10:00:00", "10:01:00", 2);

    schedules.pause(key, "why");

    assertThat(planned.runs()).containsExactly("09:59:00 running null", "10:00:00 pending null");
    assertThat(planned.cursor()).isEqualTo("10:00:30 null 2");
  }

  @Test
  void resuming_records_the_slots_of_the_pause_as_one_range() {
    planned.create(minutely);
    schedules.pause(key, "why");
    planned.pass(Duration.ofDays(7));

    schedules.resume(key);

    assertThat(schedules.decisions(key, Instant.MIN, Instant.MAX, 10))
        .singleElement()
        .satisfies(
            decision -> {
              assertThat(decision.droppedSlots().slots()).isEqualTo(7 * 24 * 60);
              assertThat(decision.droppedSlots().first()).isEqualTo(at("10:01:00"));
              assertThat(decision.droppedSlots().last())
                  .isEqualTo(Instant.parse("2026-03-08T10:00:00Z"));
              assertThat(decision.decidedAt()).isEqualTo(planned.now());
            });
    assertThat(schedules.get(key).orElseThrow().nextSlot())
        .contains(Instant.parse("2026-03-08T10:01:00Z"));
  }

  @Test
  void a_slot_that_was_run_by_hand_during_a_pause_is_not_said_to_be_dropped() {
    planned.create(minutely);
    schedules.pause(key, "why");
    planned.finished("10:02:00");
    planned.pass(Duration.ofMinutes(3));

    schedules.resume(key);

    assertThat(planned.decisions())
        .containsExactly("10:01:00 10:01:00 1 PAUSED v1", "10:03:00 10:03:00 1 PAUSED v1");
  }

  @Test
  void decisions_are_found_by_the_slots_they_are_about() {
    planned.create(minutely);
    schedules.pause(key, "why");
    planned.pass(Duration.ofMinutes(5));
    schedules.resume(key);

    assertThat(schedules.decisions(key, at("10:03:00"), at("10:03:00"), 10)).hasSize(1);
    assertThat(schedules.decisions(key, at("10:06:00"), at("10:09:00"), 10)).isEmpty();
  }

  @Test
  void a_one_shot_whose_time_passes_in_a_pause_is_complete_when_resumed() {
    planned.create(ScheduleDraft.named(key).target("log").at(at("10:01:00")));
    schedules.pause(key, "why");
    planned.pass(Duration.ofMinutes(5));

    ChangeResult resumed = schedules.resume(key).orElseThrow();

    assertThat(resumed.change()).isEqualTo(ChangeResult.Change.COMPLETED);
    assertThat(resumed.schedule().status()).isEqualTo(ScheduleStatus.RETIRED);
    assertThat(planned.decisions()).containsExactly("10:01:00 10:01:00 1 PAUSED v1");
    assertThat(planned.actions()).first().isEqualTo("schedule.completed");
  }

  @Test
  void a_schedule_whose_last_run_is_on_its_way_stays_active_when_resumed() {
    planned.create(minutely.maxRuns(1));
    planned.plan("10:00:00", "10:00:00", "running");
    planned.sequel("retire");
    planned.cursor("10:00:00", null, 1);
    schedules.pause(key, "why");

    ChangeResult resumed = schedules.resume(key).orElseThrow();

    assertThat(resumed.change()).isEqualTo(ChangeResult.Change.RESUMED);
    assertThat(planned.cursor()).isEqualTo("10:00:30 null 1");
  }

  @Test
  void resuming_forgets_failures_in_a_row() {
    planned.create(minutely.pauseAfterFailures(2));
    psql.execute("insert into carillon.failure_streak values (?, 2, 'epoch')", planned.id());
    schedules.pause(key, "why");

    schedules.resume(key);

    assertThat(
            psql.rows("select 1 from carillon.failure_streak where schedule_id = ?", planned.id()))
        .isEmpty();
  }

  @Test
  void retiring_takes_back_what_is_not_due_says_so_of_passed_slots_and_ends_the_version() {
    planned.create(minutely);
    planned.plan("09:59:00", "10:05:00", "pending");
    planned.plannedAhead("10:01:00", "10:02:00");
    planned.cursor("10:02:00", "10:03:00", 3);

    schedules.retire(key);

    assertThat(planned.runs()).isEmpty();
    assertThat(planned.decisions()).containsExactly("09:59:00 09:59:00 1 RETIRED v1");
    assertThat(planned.cursor()).isEqualTo("10:00:30 null 0");
    assertThat(schedules.versions(key).get(0).retiredAt()).contains(planned.now());
  }

  @Test
  void a_revived_schedule_counts_its_runs_anew() {
    planned.create(minutely.maxRuns(2));
    planned.plan("10:00:00", "10:00:00", "running");
    planned.cursor("10:00:00", "10:01:00", 2);
    schedules.retire(key);

    schedules.upsert(minutely.maxRuns(2));

    assertThat(planned.cursor()).isEqualTo("10:00:30 10:01:00 0");
  }

  @Test
  void whoever_waited_for_a_lock_does_not_turn_back_time() {
    planned.create(minutely);
    planned.pass(Duration.ofMinutes(5));
    schedules.pause(key, "why");
    planned.pass(Duration.ofMinutes(-5));

    schedules.upsert(minutely.description("late"));

    assertThat(planned.cursor()).startsWith("10:05:30 ");
    assertThat(schedules.get(key).orElseThrow().updated().at()).isEqualTo(at("10:05:30"));
  }

  @Test
  void a_pause_with_an_end_ends_by_itself_and_its_later_slots_count() {
    planned.create(minutely);
    schedules.pause(key, "why", at("10:02:15"));
    assertThat(told(tx -> new ScheduleChanges(tx).resumeDue(at("10:02:14")))).isEmpty();
    planned.pass(Duration.ofMinutes(10));

    List<Event> told = told(tx -> new ScheduleChanges(tx).resumeDue(planned.now()));

    assertThat(told)
        .contains(
            new Event.Changed(
                planned.now(), key, "schedule.resumed", "carillon", Optional.empty()));
    assertThat(planned.decisions()).containsExactly("10:01:00 10:02:00 2 PAUSED v1");
    assertThat(planned.cursor()).isEqualTo("10:02:15 10:03:00 0");
  }

  @Test
  void resuming_by_hand_after_the_end_of_a_pause_loses_no_slot_since() {
    planned.create(minutely);
    schedules.pause(key, "why", at("10:02:15"));
    planned.pass(Duration.ofMinutes(10));

    schedules.resume(key);

    assertThat(planned.cursor()).isEqualTo("10:02:15 10:03:00 0");
  }

  @Test
  void only_active_schedules_without_a_slot_left_are_completed() {
    planned.create(minutely);
    assertThat(told(tx -> new ScheduleChanges(tx).complete(List.of(planned.id()), planned.now())))
        .isEmpty();
    planned.cursor("10:00:30", null, 0);

    List<Event> told =
        told(tx -> new ScheduleChanges(tx).complete(List.of(planned.id()), planned.now()));

    assertThat(told)
        .containsExactly(
            new Event.Changed(
                planned.now(), key, "schedule.completed", "carillon", Optional.empty()));
    assertThat(schedules.get(key).orElseThrow().status()).isEqualTo(ScheduleStatus.RETIRED);
    assertThat(schedules.versions(key).get(0).retiredAt()).contains(planned.now());
    assertThat(planned.actions()).first().isEqualTo("schedule.completed");
    assertThat(told(tx -> new ScheduleChanges(tx).complete(List.of(planned.id()), planned.now())))
        .isEmpty();
  }

  @Test
  void the_brake_pauses_with_the_last_failure_as_its_reason() {
    planned.create(minutely);
    planned.plannedAhead("10:01:00");

    List<Event> told =
        told(
            tx ->
                new ScheduleChanges(tx)
                    .brake(planned.id(), 5, "timeout: no answer", planned.now()));

    String reason = "5 failures in a row, the last: timeout: no answer";
    assertThat(told)
        .contains(
            new Event.Changed(
                planned.now(), key, "schedule.paused", "carillon", Optional.of(reason)));
    assertThat(schedules.get(key).orElseThrow().pause().orElseThrow().reason()).isEqualTo(reason);
    assertThat(planned.runs()).isEmpty();
    assertThat(told(tx -> new ScheduleChanges(tx).brake(planned.id(), 6, "", planned.now())))
        .isEmpty();
  }

  @Test
  void the_brake_holds_whatever_the_failure_says() {
    planned.create(minutely);

    told(
        tx ->
            new ScheduleChanges(tx).brake(planned.id(), 1, "\0" + "😀".repeat(600), planned.now()));

    assertThat(schedules.get(key).orElseThrow().pause().orElseThrow().reason())
        .startsWith("1 failure, the last:  😀")
        .endsWith("😀…");
  }

  @Test
  void a_schedule_that_cannot_be_planned_is_paused_whatever_the_problem_says() {
    planned.create(minutely);

    List<Event> told =
        told(
            tx ->
                new ScheduleChanges(tx)
                    .quarantine(planned.id(), "\0" + "😀".repeat(600), planned.now()));

    assertThat(told).hasSize(1);
    assertThat(schedules.get(key).orElseThrow().pause().orElseThrow().reason())
        .startsWith("cannot be planned:  😀")
        .endsWith("😀…");
  }

  private List<Event> told(Consumer<Transaction> change) {
    var told = new ArrayList<Event>();
    database
        .publishingTo(told::add)
        .inTransaction(
            tx -> {
              change.accept(tx);
              return true;
            });
    return told;
  }
}
