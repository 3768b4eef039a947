package dev.carillon.engine;

import static dev.carillon.engine.Minutes.at;
import static dev.carillon.engine.Minutes.dropped;
import static dev.carillon.engine.Minutes.minutely;
import static dev.carillon.engine.Minutes.minutes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.ScheduleDraft;
import dev.carillon.event.EngineLoop;
import dev.carillon.event.Event;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.model.AuditEntry;
import dev.carillon.model.AuditFilter;
import dev.carillon.model.ChangeResult;
import dev.carillon.model.ChangeResult.Change;
import dev.carillon.model.DroppedSlots;
import dev.carillon.model.DroppedSlots.Reason;
import dev.carillon.model.Pause;
import dev.carillon.model.Schedule;
import dev.carillon.model.ScheduleFilter;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.model.SlotOutcome;
import dev.carillon.model.UpcomingSlot;
import dev.carillon.policy.CatchUp;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.testing.RecordingTarget;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Pauses that begin later: which slots run, and what becomes of the pause meanwhile. */
@ExtendWith(EmbeddedPostgres.class)
class ComingPauseTest {
  private static final String KEY = "minutely";

  private final Belfry belfry;
  private final RecordingTarget bell = new RecordingTarget();
  private final ManualCarillon node;

  ComingPauseTest(DataSource postgres) {
    belfry = new Belfry(postgres);
    node = belfry.node(builder -> builder.target("bell", bell));
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  private static Duration minutesOf(int count) {
    return Duration.ofMinutes(count);
  }

  private static Pause from(String time) {
    return Pause.because("holidays").startingAt(at(time));
  }

  private ChangeResult pause(Pause pause) {
    return node.schedules().pause(KEY, pause).orElseThrow();
  }

  private Schedule schedule() {
    return node.schedules().get(KEY).orElseThrow();
  }

  private ManualCarillon created(ScheduleDraft draft) {
    node.schedules().create(draft);
    return node.runDue();
  }

  private List<String> audit() {
    return node.schedules().audit(AuditFilter.bySchedule(KEY), 100).stream()
        .map(AuditEntry::action)
        .toList();
  }

  @Test
  void slots_before_it_run_and_those_from_then_on_do_not() {
    created(minutely());

    ChangeResult changeResult = pause(from("00:03:00"));
    assertThat(changeResult.change()).isEqualTo(Change.PAUSE_PLANNED);
    assertThat(changeResult.schedule().status()).isEqualTo(ScheduleStatus.ACTIVE);
    assertThat(changeResult.schedule().plannedPause()).contains(from("00:03:00"));
    assertThat(changeResult.schedule().pause()).isEmpty();

    node.pass(minutesOf(5));

    assertThat(bell.slots()).isEqualTo(minutes(1, 2));
    assertThat(schedule().status()).isEqualTo(ScheduleStatus.PAUSED);
    assertThat(schedule().pause()).contains(Pause.because("holidays"));
    assertThat(schedule().plannedPause()).isEmpty();
    assertThat(node.events())
        .filteredOn(Event.Changed.class::isInstance)
        .extracting(event -> ((Event.Changed) event).action())
        .containsExactly("schedule.created", "schedule.pause_planned", "schedule.paused");
    assertThat(audit()).contains("schedule.pause_planned", "schedule.paused");

    node.schedules().resume(KEY);
    node.pass(minutesOf(2));

    assertThat(bell.slots())
        .containsExactlyElementsOf(
            List.of(at("00:01:00"), at("00:02:00"), at("00:06:00"), at("00:07:00")));
    assertThat(dropped(node, KEY))
        .containsExactly(new DroppedSlots(at("00:03:00"), at("00:05:00"), 3, Reason.PAUSED));
  }

  @Test
  void it_begins_when_it_should_and_not_a_moment_later() {
    created(minutely());
    pause(from("00:03:00"));

    node.pass(Duration.between(at("00:00:00"), at("00:03:00").minusMillis(1)));
    assertThat(schedule().status()).isEqualTo(ScheduleStatus.ACTIVE);
    node.pass(Duration.ofMillis(1));

    assertThat(schedule().status()).isEqualTo(ScheduleStatus.PAUSED);
    assertThat(schedule().updated().at()).isEqualTo(at("00:03:00"));
  }

  @Test
  void the_last_slot_may_be_a_microsecond_before_it() {
    created(minutely());
    pause(Pause.because("x").startingAt(at("00:03:00").plus(1, ChronoUnit.MICROS)));
    node.pass(minutesOf(5));

    assertThat(bell.slots()).isEqualTo(minutes(1, 3));
  }

  @Test
  void runs_that_were_planned_beyond_it_are_taken_back() {
    created(minutely().maxRuns(1));
    assertThat(node.schedules().preview(KEY, 5).orElseThrow()).hasSize(1);

    pause(from("00:00:30"));
    node.pass(minutesOf(2));
    assertThat(bell.slots()).isEmpty();
    assertThat(schedule().status()).isEqualTo(ScheduleStatus.PAUSED);

    node.schedules().resume(KEY);
    node.pass(minutesOf(2));
    assertThat(bell.slots()).isEqualTo(minutes(3, 3));
    assertThat(schedule().completed()).isTrue();
  }

  @Test
  void jitter_moves_no_slot_over_its_beginning() {
    created(minutely().jitter(Duration.ofSeconds(25)));
    pause(from("00:05:00"));
    node.pass(minutesOf(10));

    assertThat(bell.slots()).isEqualTo(minutes(1, 4));
  }

  @Test
  void resuming_before_it_begins_cancels_it() {
    created(minutely());
    pause(from("00:00:30"));
    node.runDue();

    ChangeResult resumed = node.schedules().resume(KEY).orElseThrow();
    assertThat(resumed.change()).isEqualTo(Change.RESUMED);
    assertThat(resumed.schedule().plannedPause()).isEmpty();
    assertThat(node.schedules().resume(KEY).orElseThrow().change()).isEqualTo(Change.UNCHANGED);
    node.pass(minutesOf(4));

    assertThat(bell.slots()).isEqualTo(minutes(1, 4));
    assertThat(dropped(node, KEY)).isEmpty();
  }

  @Test
  void a_later_request_replaces_it_and_the_same_one_changes_nothing() {
    created(minutely());
    pause(from("00:00:30"));
    node.runDue();
    assertThat(pause(from("00:00:30")).change()).isEqualTo(Change.UNCHANGED);
    assertThat(pause(from("00:03:00")).change()).isEqualTo(Change.PAUSE_PLANNED);
    node.pass(minutesOf(5));

    assertThat(bell.slots()).isEqualTo(minutes(1, 2));
  }

  @Test
  void a_pause_at_once_replaces_it() {
    created(minutely());
    pause(from("00:03:00"));
    node.pass(minutesOf(1));
    node.schedules().pause(KEY, "now");

    assertThat(schedule().plannedPause()).isEmpty();
    node.pass(minutesOf(1));
    node.schedules().resume(KEY);
    node.pass(minutesOf(2));
    assertThat(bell.slots()).containsExactly(at("00:01:00"), at("00:03:00"), at("00:04:00"));
  }

  @Test
  void new_versions_keep_it() {
    created(minutely());
    pause(from("00:03:00"));
    node.schedules().patch(KEY, draft -> draft.description("another"));
    node.runDue();
    node.schedules().upsert(minutely().description("a third"));
    node.schedules().rollback(KEY, 1);
    assertThat(schedule().version()).isEqualTo(4);
    assertThat(schedule().plannedPause()).contains(from("00:03:00"));
    node.pass(minutesOf(5));

    assertThat(bell.slots()).isEqualTo(minutes(1, 2));
    assertThat(schedule().pause().map(Pause::reason)).contains("holidays");
  }

  @Test
  void it_ends_by_itself_if_it_should() {
    created(minutely());
    pause(from("00:03:00").endingAt(at("00:04:30")));
    node.pass(minutesOf(3));
    assertThat(schedule().pause().flatMap(Pause::until)).contains(at("00:04:30"));
    node.pass(minutesOf(3));

    assertThat(bell.slots())
        .containsExactly(at("00:01:00"), at("00:02:00"), at("00:05:00"), at("00:06:00"));
    assertThat(dropped(node, KEY))
        .containsExactly(new DroppedSlots(at("00:03:00"), at("00:04:00"), 2, Reason.PAUSED));
  }

  @Test
  void an_outage_over_all_of_it_makes_no_difference() {
    created(minutely().catchUp(CatchUp.all()));
    pause(from("00:03:00").endingAt(at("00:04:30")));
    belfry.clock().advance(minutesOf(6));
    node.runDue();

    assertThat(bell.slots())
        .containsExactlyInAnyOrder(at("00:01:00"), at("00:02:00"), at("00:05:00"), at("00:06:00"));
    assertThat(dropped(node, KEY))
        .containsExactly(new DroppedSlots(at("00:03:00"), at("00:04:00"), 2, Reason.PAUSED));
  }

  @Test
  void whoever_changes_a_schedule_after_its_beginning_finds_it_paused() {
    created(minutely());
    pause(from("00:03:00"));
    node.pass(Duration.between(at("00:00:00"), at("00:02:59")));
    belfry.clock().advance(Duration.ofSeconds(70));

    node.schedules().resume(KEY);

    assertThat(dropped(node, KEY))
        .containsExactly(new DroppedSlots(at("00:03:00"), at("00:04:00"), 2, Reason.PAUSED));
    assertThat(audit())
        .containsSubsequence("schedule.resumed", "schedule.paused", "schedule.pause_planned");
  }

  @Test
  void retiring_drops_it() {
    created(minutely());
    pause(from("00:03:00"));
    node.schedules().retire(KEY);
    assertThat(schedule().plannedPause()).isEmpty();
    node.schedules().upsert(minutely());
    node.pass(minutesOf(4));

    assertThat(bell.slots()).isEqualTo(minutes(1, 4));
  }

  @Test
  void one_that_should_have_begun_is_at_once() {
    created(minutely());

    assertThat(pause(from("00:00:00")).change()).isEqualTo(Change.PAUSED);
    assertThat(schedule().pause()).contains(Pause.because("holidays"));
  }

  @Test
  void it_must_end_after_it_begins_and_cannot_begin_while_paused() {
    created(minutely());

    assertThatThrownBy(() -> from("00:03:00").endingAt(at("00:03:00")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must end after it begins");
    node.schedules().pause(KEY, "now");
    assertThatThrownBy(() -> pause(from("00:03:00")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is paused already");
  }

  @Test
  void an_interval_after_the_finish_stops_before_it_and_goes_on_where_it_was() {
    created(ScheduleDraft.named(KEY).target("bell").every(minutesOf(1)).afterFinish());
    pause(from("00:02:30"));
    node.pass(minutesOf(4));
    assertThat(bell.slots()).isEqualTo(minutes(1, 2));
    assertThat(schedule().status()).isEqualTo(ScheduleStatus.PAUSED);

    node.schedules().resume(KEY);
    node.pass(Duration.ofSeconds(90));
    assertThat(bell.slots()).containsExactly(at("00:01:00"), at("00:02:00"), at("00:05:00"));

    pause(from("00:05:45"));
    node.runDue();
    node.schedules().resume(KEY);
    node.pass(minutesOf(1));
    assertThat(bell.slots()).endsWith(at("00:06:00"));
  }

  @Test
  void a_single_slot_waits_for_its_end_and_is_not_taken_for_done() {
    created(ScheduleDraft.named(KEY).target("bell").at(at("00:01:00")));
    pause(from("00:00:20").endingAt(at("00:00:40")));
    node.pass(Duration.ofSeconds(30));
    assertThat(schedule().status()).isEqualTo(ScheduleStatus.PAUSED);
    node.pass(minutesOf(2));

    assertThat(bell.slots()).isEqualTo(minutes(1, 1));
    assertThat(schedule().completed()).isTrue();
  }

  @Test
  void a_schedule_that_ends_before_it_is_completed() {
    created(minutely().maxRuns(2));
    pause(from("00:03:00"));
    node.pass(minutesOf(5));

    assertThat(bell.slots()).isEqualTo(minutes(1, 2));
    assertThat(schedule().completed()).isTrue();
    assertThat(schedule().plannedPause()).isEmpty();
  }

  @Test
  void what_is_to_come_leaves_it_out() {
    created(minutely());
    pause(from("00:03:00").endingAt(at("00:04:30")));

    for (int turn = 0; turn < 2; turn++) {
      assertThat(node.schedules().preview(KEY, 4).orElseThrow())
          .extracting(UpcomingSlot::slot)
          .containsExactly(at("00:01:00"), at("00:02:00"), at("00:05:00"), at("00:06:00"));
      List<SlotOutcome> fires =
          node.schedules().fires(KEY, at("00:01:00"), at("00:06:00"), 10).orElseThrow();
      assertThat(fires).extracting(SlotOutcome::slot).isEqualTo(minutes(1, 6));
      assertThat(fires)
          .filteredOn(slotOutcome -> slotOutcome.decision() == SlotOutcome.Fate.WILL_NOT_RUN)
          .extracting(SlotOutcome::slot)
          .isEqualTo(minutes(3, 4));
      assertThat(fires.get(2).reason()).contains("paused: holidays");
      node.runDue();
    }
  }

  @Test
  void many_can_be_paused_later_and_resumed_together() {
    created(minutely().tags("b"));
    node.schedules()
        .create(ScheduleDraft.named("other").target("bell").cron("* * * * *").tags("b"));
    ScheduleFilter both = ScheduleFilter.all().tag("b");

    assertThat(node.schedules().findAll(both).pause(from("00:02:00"))).isEqualTo(2);
    assertThat(node.schedules().list(both)).allMatch(one -> one.plannedPause().isPresent());
    assertThat(node.schedules().resumeAll(both, "no need")).isEqualTo(2);
    assertThat(node.schedules().list(both)).noneMatch(one -> one.plannedPause().isPresent());
    node.pass(minutesOf(3));

    assertThat(bell.slots()).hasSize(6);
  }

  @Test
  void planning_rests_until_it_begins() {
    created(minutely());
    pause(from("00:00:50"));
    node.runDue();

    assertThat(node.turn(EngineLoop.PLANNING))
        .isPositive()
        .isLessThanOrEqualTo(Duration.between(at("00:00:00"), at("00:00:50")));
    Instant before = belfry.clock().instant();
    assertThat(before).isBefore(at("00:00:50"));
  }
}
