package dev.carillon.engine;

import static dev.carillon.engine.Minutes.at;
import static dev.carillon.engine.Minutes.dropped;
import static dev.carillon.engine.Minutes.minutely;
import static dev.carillon.engine.Minutes.minutes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.FreezeDraft;
import dev.carillon.RunDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.SlowTarget;
import dev.carillon.model.AuditEntry;
import dev.carillon.model.AuditFilter;
import dev.carillon.model.DroppedSlots;
import dev.carillon.model.DroppedSlots.Reason;
import dev.carillon.model.Payload;
import dev.carillon.model.QuietHoursDefinition;
import dev.carillon.policy.CatchUp;
import dev.carillon.policy.Overlap;
import dev.carillon.policy.Retry;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.testing.RecordingTarget;
import dev.carillon.time.business.Freeze;
import dev.carillon.time.business.QuietAction;
import dev.carillon.time.business.QuietHours;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Runs that are late, and would start in quiet time. */
@ExtendWith(EmbeddedPostgres.class)
class HeldBackRunsTest {
  private static final String KEY = "minutely";
  private static final CatchUp ALL = CatchUp.all().grace(Duration.ofSeconds(1));

  private final Belfry belfry;
  private final RecordingTarget bell = new RecordingTarget();
  private final SlowTarget slow = new SlowTarget();
  private final ManualCarillon node;

  HeldBackRunsTest(DataSource postgres) {
    belfry = new Belfry(postgres);
    node = belfry.node(builder -> builder.target("bell", bell).asyncTarget("slow", slow));
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  private void quiet(QuietAction action, String from, String until) {
    var freeze = new Freeze(at(from), at(until), "a migration");
    var hours = new QuietHours("migration", ZoneId.of("UTC"), List.of(), List.of(freeze), action);
    node.carillon().quietHours().save(QuietHoursDefinition.ofEverything(hours), "");
  }

  private void outageUntil(String time) {
    belfry.clock().advanceTo(at(time));
    node.runDue();
  }

  private void passUntil(String time) {
    node.pass(Duration.between(belfry.clock().instant(), at(time)));
  }

  private static DroppedSlots quietly(String first, String last, int slots) {
    return new DroppedSlots(
        at(first), at(last), slots, Reason.QUIET_HOURS, Optional.of("migration"), Optional.empty());
  }

  private List<String> audit() {
    return node.schedules().audit(AuditFilter.all(), 100).stream().map(AuditEntry::action).toList();
  }

  @Test
  void what_would_be_caught_up_in_quiet_time_is_skipped_as_the_slots_in_it_are() {
    quiet(QuietAction.SKIP, "00:03:30", "00:10:30");
    node.schedules().create(minutely().catchUp(ALL));

    outageUntil("00:05:30");
    passUntil("00:11:30");

    assertThat(bell.slots()).containsExactly(at("00:11:00"));
    assertThat(dropped(node, KEY)).containsExactly(quietly("00:01:00", "00:10:00", 10));
    assertThat(audit()).contains("schedule.skipped");
  }

  @Test
  void what_would_be_caught_up_in_quiet_time_is_put_off_to_its_end_run_by_run() {
    quiet(QuietAction.DEFER, "00:02:30", "00:05:30");
    node.schedules().create(minutely().catchUp(ALL));

    outageUntil("00:03:30");
    passUntil("00:05:29");
    assertThat(bell.slots()).isEmpty();
    passUntil("00:05:31");

    assertThat(bell.slots()).containsExactlyInAnyOrderElementsOf(minutes(1, 5));
    assertThat(dropped(node, KEY)).isEmpty();
  }

  @Test
  void what_would_be_caught_up_in_quiet_time_is_one_run_with_what_waits_for_its_end() {
    quiet(QuietAction.COALESCE, "00:02:30", "00:05:30");
    node.schedules().create(minutely().catchUp(ALL));

    outageUntil("00:03:30");
    passUntil("00:06:30");

    assertThat(bell.slots()).containsExactly(at("00:01:00"), at("00:06:00"));
    assertThat(dropped(node, KEY))
        .extracting(DroppedSlots::mergedInto)
        .containsOnly(Optional.of(at("00:01:00")));
    assertThat(dropped(node, KEY).stream().mapToLong(DroppedSlots::slots).sum()).isEqualTo(4);
  }

  @Test
  void a_run_that_was_planned_and_missed_is_not_started_in_quiet_time() {
    quiet(QuietAction.DEFER, "00:01:30", "00:05:30");
    node.schedules().create(minutely().catchUp(CatchUp.once()));
    node.pass(Duration.ofSeconds(10));

    outageUntil("00:03:30");
    assertThat(bell.slots()).isEmpty();
    passUntil("00:05:31");

    assertThat(bell.slots()).contains(at("00:01:00"));
  }

  @Test
  void after_a_freeze_nothing_starts_that_is_due_and_waits_for_an_earlier_run() {
    ScheduleDraft queue =
        ScheduleDraft.named(KEY).target("slow").cron("* * * * *").overlap(Overlap.queue(5));
    node.schedules().create(queue);
    passUntil("00:02:30");
    assertThat(slow.calls()).hasSize(1);

    node.carillon().quietHours().freeze(FreezeDraft.until(at("00:10:30"), "a migration"));
    slow.last().succeed();
    passUntil("00:10:00");
    assertThat(slow.calls()).hasSize(1);
    node.carillon().quietHours().thaw(Set.of());
    passUntil("00:10:10");

    assertThat(slow.calls()).hasSize(2);
    assertThat(slow.last().context().slot()).isEqualTo(at("00:02:00"));
  }

  @Test
  void what_waits_for_an_earlier_run_when_quiet_time_begins_waits_for_its_end() {
    quiet(QuietAction.DEFER, "00:02:30", "00:10:30");
    node.schedules()
        .create(
            ScheduleDraft.named(KEY).target("slow").cron("* * * * *").overlap(Overlap.QUEUE_ONE));
    passUntil("00:03:30");

    slow.last().succeed();
    passUntil("00:10:29");
    assertThat(slow.calls()).hasSize(1);
    passUntil("00:10:31");

    assertThat(slow.last().context().slot()).isEqualTo(at("00:02:00"));
  }

  @Test
  void retries_and_what_somebody_asks_for_start_in_quiet_time() {
    quiet(QuietAction.SKIP, "00:01:30", "00:10:30");
    Retry retry = Retry.times(3).backoff(Duration.ofMinutes(1));
    node.schedules().create(ScheduleDraft.named(KEY).target("slow").cron("* * * * *").retry(retry));
    passUntil("00:01:10");
    slow.last().fail("away");
    passUntil("00:03:30");
    assertThat(slow.calls()).hasSize(2);

    node.schedules().runNow(KEY, Payload.EMPTY, Overlap.ALLOW);
    node.runs().enqueue(RunDraft.of("bell"));
    passUntil("00:04:00");

    assertThat(slow.calls()).hasSize(3);
    assertThat(bell.calls()).hasSize(1);
  }

  @Test
  void a_beat_after_the_end_of_a_run_that_would_begin_late_in_quiet_time_is_left_out() {
    quiet(QuietAction.SKIP, "00:01:30", "00:10:30");
    node.schedules()
        .create(ScheduleDraft.named(KEY).target("bell").every(Duration.ofMinutes(1)).afterFinish());

    outageUntil("00:02:10");
    passUntil("00:12:00");

    assertThat(bell.slots()).isNotEmpty().allMatch(slot -> slot.isAfter(at("00:10:29")));
  }
}
