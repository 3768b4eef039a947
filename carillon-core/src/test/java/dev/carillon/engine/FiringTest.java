package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.RunDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.model.Run;
import dev.carillon.model.RunState;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.policy.CatchUp;
import dev.carillon.policy.Retry;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.testing.RecordingTarget;
import dev.carillon.testing.TestClock;
import java.time.Duration;
import java.time.Instant;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(EmbeddedPostgres.class)
class FiringTest {
  private final TestClock clock = TestClock.at("2026-03-01T00:00:00Z");
  private final RecordingTarget bell = new RecordingTarget();
  private final ManualCarillon carillon;

  FiringTest(DataSource postgres) {
    carillon = ManualCarillon.on(postgres).clock(clock).target("bell", bell).start();
  }

  @AfterEach
  void retireAll() {
    carillon
        .schedules()
        .list(dev.carillon.model.ScheduleFilter.all())
        .forEach(one -> carillon.schedules().retire(one.key()));
    carillon.close();
  }

  @Test
  void every_slot_runs_once_at_its_time() {
    carillon.schedules().create(ScheduleDraft.named("minutely").target("bell").cron("* * * * *"));

    carillon.pass(Duration.ofMinutes(10));

    assertThat(bell.slots()).hasSize(10).doesNotHaveDuplicates().isSorted();
    assertThat(carillon.runs().ofSchedule("minutely"))
        .filteredOn(run -> run.state() == RunState.SUCCEEDED)
        .hasSize(10)
        .allSatisfy(run -> assertThat(run.lateness()).contains(Duration.ZERO));
  }

  @Test
  void after_an_outage_only_the_newest_missed_slot_runs() {
    carillon
        .schedules()
        .create(
            ScheduleDraft.named("nightly")
                .target("bell")
                .cron("0 2 * * *", "Europe/Rome")
                .catchUp(CatchUp.once()));

    clock.advance(Duration.ofDays(3));
    carillon.runDue();

    assertThat(bell.slots()).containsExactly(Instant.parse("2026-03-03T01:00:00Z"));
    assertThat(
            carillon
                .schedules()
                .decisions("nightly", Instant.EPOCH, Instant.parse("2027-01-01T00:00:00Z"), 10))
        .singleElement()
        .satisfies(decision -> assertThat(decision.toString()).contains("2"));
  }

  @Test
  void planned_runs_of_an_outage_are_left_to_catch_up() {
    carillon
        .schedules()
        .create(ScheduleDraft.named("secondly").target("bell").every(Duration.ofSeconds(1)));
    carillon.runDue();

    clock.advance(Duration.ofMinutes(10));
    carillon.runDue();

    assertThat(bell.slots()).hasSizeBetween(1, 11);
  }

  @Test
  void a_one_shot_runs_once_and_retires() {
    carillon
        .schedules()
        .create(ScheduleDraft.named("once").target("bell").in(Duration.ofMinutes(5)));

    carillon.pass(Duration.ofMinutes(10));

    assertThat(bell.slots()).containsExactly(Instant.parse("2026-03-01T00:05:00Z"));
    assertThat(carillon.schedules().get("once").orElseThrow().status())
        .isEqualTo(ScheduleStatus.RETIRED);
  }

  @Test
  void a_failing_run_is_tried_again_and_ends_as_dead_letter() {
    bell.failing("no rope");
    var id = carillon.runs().enqueue(RunDraft.of("bell").retry(Retry.times(3)).payload("a", 1));

    carillon.pass(Duration.ofMinutes(1));

    Run run = carillon.runs().get(id).orElseThrow();
    assertThat(run.state()).isEqualTo(RunState.FAILED);
    assertThat(run.attempt()).isEqualTo(3);
    assertThat(run.attempts()).hasSize(2);
    assertThat(run.failure().orElseThrow().message()).isEqualTo("no rope");
    assertThat(carillon.runs().deadLetters(10)).extracting(Run::id).contains(id);

    bell.then(context -> {});
    assertThat(carillon.runs().redrive(java.util.List.of(id))).isEqualTo(1);
    carillon.runDue();
    assertThat(carillon.runs().get(id).orElseThrow().state()).isEqualTo(RunState.SUCCEEDED);
  }

  @Test
  void an_interval_measured_from_the_end_repeats_a_period_after_it() {
    carillon
        .schedules()
        .create(
            ScheduleDraft.named("after")
                .target("bell")
                .every(Duration.ofSeconds(30))
                .afterFinish());

    carillon.pass(Duration.ofMinutes(2));

    assertThat(bell.slots()).hasSize(4);
  }

  @Test
  void a_run_that_jitter_started_before_its_slot_is_not_repeated_by_an_edit() {
    carillon
        .schedules()
        .create(
            ScheduleDraft.named("jittered")
                .target("bell")
                .cron("*/10 * * * *")
                .jitter(Duration.ofMinutes(4)));
    for (int i = 0; i < 120; i++) {
      carillon.pass(Duration.ofMinutes(1));
      String edit = "edit " + i;
      carillon.schedules().patch("jittered", draft -> draft.description(edit));
    }

    assertThat(bell.slots()).hasSizeGreaterThanOrEqualTo(11).doesNotHaveDuplicates();
    assertThat(bell.calls())
        .as("some started before their slots")
        .anyMatch(call -> call.dueAt().isBefore(call.slot()));
  }
}
