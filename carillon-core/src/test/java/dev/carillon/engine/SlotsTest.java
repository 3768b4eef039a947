package dev.carillon.engine;

import static dev.carillon.engine.Minutes.at;
import static dev.carillon.engine.Minutes.dropped;
import static dev.carillon.engine.Minutes.minutely;
import static dev.carillon.engine.Minutes.minutes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.ScheduleDraft;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.model.DroppedSlots;
import dev.carillon.model.DroppedSlots.Reason;
import dev.carillon.model.RunFilter;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.model.Trigger;
import dev.carillon.policy.Overlap;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.testing.RecordingTarget;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Which slots fire, and when: windows, jitter, ends, pauses, edits and the clocks. */
@ExtendWith(EmbeddedPostgres.class)
class SlotsTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Belfry belfry;
  private final RecordingTarget bell = new RecordingTarget();
  private final ManualCarillon node;

  SlotsTest(DataSource postgres) {
    belfry = new Belfry(postgres);
    node = belfry.node(builder -> builder.target("bell", bell));
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  /* One with few turns, for hours to pass in. */
  private ManualCarillon calm() {
    return belfry.node(
        builder ->
            builder
                .target("bell", bell)
                .poll(MINUTE)
                .heartbeat(MINUTE)
                .lease(Duration.ofMinutes(10)));
  }

  @Test
  void a_schedule_fires_only_in_its_window() {
    node.schedules().create(minutely().from(at("00:03:00")).until(at("00:05:00")));
    node.pass(Duration.ofMinutes(8));

    assertThat(bell.slots()).isEqualTo(minutes(3, 5));
    assertThat(node.schedules().get("minutely").orElseThrow().status())
        .isEqualTo(ScheduleStatus.RETIRED);
  }

  @Test
  void jitter_moves_the_run_and_not_the_slot() {
    node.schedules().create(minutely().jitter(Duration.ofSeconds(20)));
    node.pass(Duration.ofMinutes(5).plusSeconds(30));

    assertThat(bell.slots()).isEqualTo(minutes(1, 5));
    assertThat(bell.calls()).anyMatch(call -> !call.dueAt().equals(call.slot()));
    assertThat(bell.calls())
        .allSatisfy(
            call ->
                assertThat(Duration.between(call.slot(), call.dueAt()).abs())
                    .isLessThanOrEqualTo(Duration.ofSeconds(20)));
  }

  @Test
  void no_run_starts_before_it_is_due_nor_later_than_it_can() {
    node.schedules().create(minutely().jitter(Duration.ofSeconds(20)));
    node.pass(Duration.ofMinutes(5));

    assertThat(node.runs().list(RunFilter.bySchedule("minutely").state(RunState.SUCCEEDED)))
        .isNotEmpty()
        .allSatisfy(run -> assertThat(run.lateness()).contains(Duration.ZERO));
  }

  @Test
  void a_schedule_retires_after_its_last_run() {
    node.schedules().create(minutely().maxRuns(3));
    node.pass(Duration.ofMinutes(6));

    assertThat(bell.slots()).isEqualTo(minutes(1, 3));
    assertThat(node.schedules().get("minutely").orElseThrow().status())
        .isEqualTo(ScheduleStatus.RETIRED);
  }

  @Test
  void a_paused_schedule_does_not_fire_and_says_why_afterwards() {
    node.schedules().create(minutely());
    node.runDue();
    node.schedules().pause("minutely", "holidays");
    node.pass(Duration.ofMinutes(3));
    node.schedules().resume("minutely");
    node.pass(Duration.ofMinutes(2));

    assertThat(bell.slots()).isEqualTo(minutes(4, 5));
    assertThat(dropped(node, "minutely"))
        .containsExactly(new DroppedSlots(at("00:01:00"), at("00:03:00"), 3, Reason.PAUSED));
  }

  @Test
  void a_pause_with_an_end_ends_by_itself() {
    node.schedules().create(minutely());
    node.schedules().pause("minutely", "holidays", at("00:03:30"));
    node.pass(Duration.ofMinutes(5));

    assertThat(bell.slots()).isEqualTo(minutes(4, 5));
  }

  @Test
  void a_paused_schedule_can_be_run_now() {
    node.schedules().create(minutely());
    node.schedules().pause("minutely", "holidays");
    node.schedules().runNow("minutely");
    node.runDue();

    assertThat(bell.calls())
        .singleElement()
        .satisfies(call -> assertThat(call.trigger()).isEqualTo(Trigger.MANUAL));
  }

  @Test
  void a_retired_schedule_cannot_be_run_now() {
    node.schedules().create(minutely());
    node.schedules().retire("minutely");

    assertThat(node.schedules().runNow("minutely")).isEmpty();
    assertThat(node.schedules().runNow("unknown")).isEmpty();
  }

  @Test
  void running_now_leaves_the_slots_alone() {
    node.schedules().create(minutely());
    node.schedules().runNow("minutely");
    node.pass(MINUTE.multipliedBy(2));

    assertThat(bell.slots()).hasSize(3).endsWith(at("00:01:00"), at("00:02:00"));
  }

  @Test
  void many_manual_runs_of_one_moment_are_different_runs() {
    node.schedules().create(minutely());
    List<RunId> ids =
        Stream.generate(() -> node.schedules().runNow("minutely").orElseThrow().id())
            .limit(5)
            .toList();
    node.runDue();

    assertThat(ids).doesNotHaveDuplicates();
    assertThat(bell.runs()).containsExactlyInAnyOrderElementsOf(ids);
  }

  @Test
  void an_edited_schedule_goes_on_with_its_new_timing() {
    node.schedules().create(minutely());
    node.pass(MINUTE.multipliedBy(2));
    node.schedules().patch("minutely", draft -> draft.cron("*/5 * * * *"));
    node.pass(MINUTE.multipliedBy(8));

    assertThat(bell.slots())
        .containsExactly(at("00:01:00"), at("00:02:00"), at("00:05:00"), at("00:10:00"));
    assertThat(bell.calls().get(3).version()).isEqualTo(2);
  }

  @Test
  void a_run_that_jitter_let_finish_before_its_slot_is_not_run_again_after_an_edit() {
    node.schedules().create(minutely().jitter(Duration.ofSeconds(25)));
    while (bell.calls().stream().noneMatch(call -> call.slot().isAfter(now()))) {
      node.pass(Duration.ofSeconds(1));
    }
    node.schedules().patch("minutely", draft -> draft.description("other"));
    node.pass(MINUTE.multipliedBy(2));

    assertThat(bell.slots()).doesNotHaveDuplicates().isSorted();
  }

  private Instant now() {
    return belfry.clock().instant();
  }

  @Test
  void schedules_that_leave_the_minute_to_their_name_fire_at_their_own() {
    for (String key : List.of("a", "b", "c", "d")) {
      node.schedules()
          .create(ScheduleDraft.named(key).target("bell").cron("H H * * *").overlap(Overlap.ALLOW));
    }
    List<Instant> next =
        Stream.of("a", "b", "c", "d")
            .map(key -> node.schedules().preview(key, 1).orElseThrow().get(0).slot())
            .toList();

    assertThat(next).doesNotHaveDuplicates();
  }

  @Test
  void a_night_that_loses_an_hour_fires_once_right_after_the_gap() {
    belfry.clock().advanceTo(Instant.parse("2026-03-29T00:30:00Z"));
    ManualCarillon calm = calm();
    calm.schedules()
        .create(ScheduleDraft.named("nightly").target("bell").cron("30 2 * * *", "Europe/Rome"));
    calm.pass(Duration.ofHours(1));

    assertThat(bell.slots()).containsExactly(Instant.parse("2026-03-29T01:00:00Z"));
  }

  @Test
  void a_night_that_gains_an_hour_fires_once() {
    belfry.clock().advanceTo(Instant.parse("2026-10-25T00:20:00Z"));
    ManualCarillon calm = calm();
    calm.schedules()
        .create(ScheduleDraft.named("nightly").target("bell").cron("30 2 * * *", "Europe/Rome"));
    calm.pass(Duration.ofMinutes(75));

    assertThat(bell.slots()).containsExactly(Instant.parse("2026-10-25T00:30:00Z"));
  }
}
