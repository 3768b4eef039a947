package dev.carillon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.Gen;
import dev.carillon.fixture.Property;
import dev.carillon.model.Pause;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.Schedule;
import dev.carillon.model.SlotOutcome;
import dev.carillon.model.SlotOutcome.Fate;
import dev.carillon.plan.PlannedRun;
import dev.carillon.plan.Planner;
import dev.carillon.plan.Standing;
import dev.carillon.policy.CatchUp;
import dev.carillon.policy.Overlap;
import dev.carillon.testing.ManualCarillon;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What became of the slots of a schedule, and what will. */
@ExtendWith(EmbeddedPostgres.class)
class FiresTest {
  private final Belfry belfry;
  private final ManualCarillon node;
  private final Schedules schedules;
  private final Instant start;

  FiresTest(DataSource postgres) {
    belfry = new Belfry(postgres);
    node =
        belfry.node(
            builder ->
                builder.target(
                    "bell",
                    context -> {
                      if (context.payload().number("fails").isPresent()) {
                        throw new IllegalStateException("cracked");
                      }
                    }));
    schedules = node.schedules();
    start = belfry.clock().instant();
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  private static ScheduleDraft hourly() {
    return ScheduleDraft.named("hourly").target("bell").every(Duration.ofHours(1));
  }

  private List<SlotOutcome> fires(Instant from, Instant to) {
    return schedules.fires("hourly", from, to, 1_000).orElseThrow();
  }

  private Instant hour(int hours) {
    return start.plus(Duration.ofHours(hours));
  }

  @Test
  void what_ran_what_runs_and_what_will() {
    schedules.create(hourly());
    node.pass(Duration.ofMinutes(90));

    List<SlotOutcome> fires = fires(start, hour(4));

    assertThat(fires)
        .extracting(SlotOutcome::slot)
        .containsExactly(hour(1), hour(2), hour(3), hour(4));
    assertThat(fires)
        .extracting(SlotOutcome::decision)
        .containsExactly(Fate.SUCCEEDED, Fate.WILL_RUN, Fate.WILL_RUN, Fate.WILL_RUN);
    assertThat(fires.get(0).run().flatMap(node.runs()::get).map(Run::slot)).contains(hour(1));
    assertThat(fires.get(1).run()).isEmpty();
    assertThat(fires.get(1).dueAt()).isEqualTo(hour(2));
  }

  @Test
  void a_planned_slot_has_its_run() {
    schedules.create(hourly());
    node.pass(Duration.ofMinutes(59).plusSeconds(30));

    SlotOutcome next = fires(hour(1), hour(1)).get(0);

    assertThat(next.decision()).isEqualTo(Fate.PENDING);
    assertThat(next.run()).map(RunId::slot).contains(hour(1));
  }

  @Test
  void a_failure_is_shown_with_what_went_wrong() {
    schedules.create(hourly().payload("fails", 1));
    node.pass(Duration.ofHours(1));

    SlotOutcome slotOutcome = fires(start, hour(1)).get(0);

    assertThat(slotOutcome.decision()).isEqualTo(Fate.FAILED);
    assertThat(slotOutcome.reason().orElseThrow()).endsWith(": cracked");
  }

  @Test
  void an_outage_is_foretold_and_then_told() {
    schedules.create(hourly().catchUp(CatchUp.once()));
    belfry.clock().advance(Duration.ofMinutes(210));

    assertThat(fires(start, hour(4)))
        .extracting(SlotOutcome::decision)
        .containsExactly(Fate.WILL_NOT_RUN, Fate.WILL_NOT_RUN, Fate.WILL_RUN, Fate.WILL_RUN);
    assertThat(fires(start, hour(1)).get(0).reason()).contains("missed");

    node.runDue();
    assertThat(fires(start, hour(4)))
        .extracting(SlotOutcome::decision)
        .containsExactly(Fate.DROPPED, Fate.DROPPED, Fate.SUCCEEDED, Fate.WILL_RUN);
    assertThat(fires(start, hour(1)).get(0).reason()).contains("missed");
  }

  @Test
  void a_pause_stops_the_slots_until_its_end() {
    schedules.create(hourly());
    schedules.pause("hourly", "the rope is worn", hour(2).plusSeconds(1));
    node.pass(Duration.ofMinutes(90));

    List<SlotOutcome> fires = fires(start, hour(3));

    assertThat(fires)
        .extracting(SlotOutcome::decision)
        .containsExactly(Fate.WILL_NOT_RUN, Fate.WILL_NOT_RUN, Fate.WILL_RUN);
    assertThat(fires.get(1).reason()).contains("paused: the rope is worn");

    node.pass(Duration.ofHours(2));
    assertThat(fires(start, hour(3)))
        .extracting(SlotOutcome::decision)
        .containsExactly(Fate.DROPPED, Fate.DROPPED, Fate.SUCCEEDED);
    assertThat(fires(start, hour(1)).get(0).reason()).contains("paused");
  }

  @Test
  void past_slots_are_those_of_the_version_that_named_them() {
    schedules.create(hourly().cron("0 * * * *", "Europe/Rome"));
    node.pass(Duration.ofHours(1));
    belfry.clock().advance(Duration.ofHours(3));
    node.runDue();
    schedules.upsert(hourly().cron("30 0 * * *", "Asia/Tokyo"));

    List<SlotOutcome> fires = fires(start, start.plus(Duration.ofDays(1)));

    assertThat(fires)
        .extracting(SlotOutcome::slot)
        .containsExactly(hour(1), hour(2), hour(3), hour(4), Instant.parse("2026-03-01T15:30:00Z"));
    assertThat(fires)
        .extracting(SlotOutcome::local)
        .startsWith(
            LocalDateTime.parse("2026-03-01T02:00"), LocalDateTime.parse("2026-03-01T03:00"))
        .endsWith(LocalDateTime.parse("2026-03-02T00:30"));
  }

  @Test
  void a_backfilled_slot_is_a_run() {
    schedules.create(hourly());
    belfry.clock().advance(Duration.ofHours(3));
    node.runDue();
    schedules.backfill("hourly", BackfillDraft.between(hour(1), hour(1)));
    node.runDue();

    assertThat(fires(start, hour(2)))
        .extracting(SlotOutcome::decision)
        .containsExactly(Fate.SUCCEEDED, Fate.DROPPED);
  }

  @Test
  void a_long_outage_of_a_quick_schedule_is_not_walked() {
    schedules.create(hourly().every(Duration.ofSeconds(1)));
    belfry.clock().advance(Duration.ofDays(365));

    Instant late = start.plus(Duration.ofDays(300));
    assertThat(schedules.fires("hourly", late, late.plusSeconds(100), 5).orElseThrow())
        .extracting(SlotOutcome::slot)
        .containsExactly(
            late,
            late.plusSeconds(1),
            late.plusSeconds(2),
            late.plusSeconds(3),
            late.plusSeconds(4));
    node.runDue();
    assertThat(schedules.fires("hourly", late, late.plusSeconds(100), 5).orElseThrow())
        .hasSize(5)
        .allMatch(slotOutcome -> slotOutcome.decision() == Fate.DROPPED);
  }

  @Test
  void what_comes_after_a_pause_to_come_is_not_walked_to_its_end() {
    schedules.create(hourly().every(Duration.ofSeconds(1)));
    schedules.pause("hourly", Pause.because("for a while").startingAt(hour(1)).endingAt(hour(2)));

    assertThat(
            schedules
                .fires("hourly", hour(1), Instant.parse("9999-12-31T00:00:00Z"), 5)
                .orElseThrow())
        .extracting(SlotOutcome::decision)
        .containsOnly(Fate.WILL_NOT_RUN);
    assertThat(
            schedules
                .fires("hourly", hour(3), Instant.parse("9999-12-31T00:00:00Z"), 5)
                .orElseThrow())
        .hasSize(5)
        .extracting(SlotOutcome::decision)
        .containsOnly(Fate.WILL_RUN);
  }

  @Test
  void of_what_waits_for_the_end_of_a_run_only_the_next_slot_is_known() {
    schedules.create(hourly().afterFinish());

    assertThat(fires(start, hour(5))).extracting(SlotOutcome::slot).containsExactly(hour(1));
    node.pass(Duration.ofMinutes(61));
    assertThat(fires(start, hour(5)))
        .extracting(SlotOutcome::decision)
        .containsExactly(Fate.SUCCEEDED, Fate.WILL_RUN);
  }

  @Test
  void nothing_comes_after_the_end() {
    schedules.create(hourly().maxRuns(2));
    assertThat(fires(start, hour(9))).hasSize(2);
    assertThat(fires(hour(2), hour(9))).extracting(SlotOutcome::slot).containsExactly(hour(2));
    assertThat(fires(hour(3), hour(9))).isEmpty();

    node.pass(Duration.ofHours(3));
    assertThat(fires(start, hour(9)))
        .allMatch(slotOutcome -> slotOutcome.decision() == Fate.SUCCEEDED);

    schedules.upsert(hourly().until(hour(5)));
    assertThat(fires(hour(4), hour(9)))
        .extracting(SlotOutcome::slot)
        .containsExactly(hour(4), hour(5));
    schedules.retire("hourly");
    assertThat(fires(hour(4), hour(9))).isEmpty();
  }

  @Test
  void slots_before_the_window_do_not_run() {
    schedules.create(hourly().from(hour(2)));

    assertThat(fires(start, hour(2)))
        .extracting(SlotOutcome::decision)
        .containsExactly(Fate.WILL_NOT_RUN, Fate.WILL_RUN);
    node.pass(Duration.ofHours(2));
    assertThat(fires(start, hour(2)))
        .extracting(SlotOutcome::decision)
        .containsExactly(Fate.DROPPED, Fate.SUCCEEDED);
    assertThat(fires(start, hour(1)).get(0).reason()).contains("outside_window");
  }

  @Test
  void slots_after_a_pause_and_before_the_window_do_not_run() {
    schedules.create(hourly().from(hour(4)));
    schedules.pause("hourly", "for a while", hour(2).plusSeconds(1));
    List<SlotOutcome> foretold = fires(hour(3), hour(4));

    assertThat(foretold)
        .extracting(SlotOutcome::decision)
        .containsExactly(Fate.WILL_NOT_RUN, Fate.WILL_RUN);
    node.pass(Duration.ofHours(4));
    assertThat(fires(hour(3), hour(4)))
        .extracting(SlotOutcome::decision)
        .containsExactly(Fate.DROPPED, Fate.SUCCEEDED);
  }

  @Test
  void what_makes_no_sense_is_refused() {
    schedules.create(hourly());

    assertThat(schedules.fires("nobody", start, hour(1), 5)).isEmpty();
    assertThat(schedules.fires("a\0b", start, hour(1), 5)).isEmpty();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> schedules.fires("hourly", hour(1), start, 5))
        .withMessageContaining("swap them");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> schedules.fires("hourly", start, hour(1), 1_001));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> schedules.fires("hourly", start, Instant.MAX, 5));
  }

  static ScheduleDraft any(Gen any, String key, Instant now) {
    ScheduleDraft draft = ScheduleDraft.named(key).target("bell").overlap(Overlap.ALLOW);
    draft =
        any.percent(50)
            ? draft.every(Duration.ofMinutes(any.number(1, 90)))
            : draft.cron(
                any.oneOf("*/7 * * * *", "0 */2 * * *", "15,45 1-20 * * *", "30 2 * * *"),
                any.oneOf("UTC", "Europe/Rome", "Australia/Lord_Howe"));
    if (any.percent(30)) {
      draft = draft.jitter(Duration.ofSeconds(any.number(1, 90)));
    }
    if (any.percent(30)) {
      draft = draft.maxRuns(any.number(1, 40));
    }
    if (any.percent(20)) {
      draft = draft.from(now.plus(any.upTo(Duration.ofHours(6))));
    }
    if (any.percent(20)) {
      draft = draft.until(now.plus(any.upTo(Duration.ofDays(2))).plus(Duration.ofDays(2)));
    }
    return any.percent(50)
        ? draft.catchUp(any.oneOf(CatchUp.once(), CatchUp.all().limit(any.number(1, 5))))
        : draft;
  }

  @Property(cases = 10)
  void what_was_foretold_comes_true(Gen any) {
    String key = "k" + any.number(0L, 1_000_000_000_000L);
    schedules.create(any(any, key, belfry.clock().instant()));
    for (int round = 0; round < 4; round++) {
      switch (any.number(0, 4)) {
        case 0 -> edit(any, key);
        case 1 ->
            schedules.pause(
                key,
                "for a while",
                belfry.clock().instant().plus(any.upTo(Duration.ofHours(3))).plusSeconds(1));
        case 2 -> {
          belfry.clock().advance(any.upTo(Duration.ofHours(5)));
          node.runDue();
        }
        default -> node.pass(any.upTo(Duration.ofHours(2)));
      }
      Instant now = belfry.clock().instant();
      Instant to = now.plus(any.upTo(Duration.ofHours(3)));
      List<SlotOutcome> foretold =
          schedules.fires(key, now.plusNanos(1_000), to, 1_000).orElseThrow();
      assertThat(foretold).isSortedAccordingTo((one, other) -> one.slot().compareTo(other.slot()));

      node.pass(Duration.between(now, to).plusMinutes(2));

      List<SlotOutcome> told = schedules.fires(key, now.plusNanos(1_000), to, 1_000).orElseThrow();
      assertThat(slots(told, true)).as("%s", key).isEqualTo(slots(foretold, true));
      assertThat(slots(told, false)).as("%s", key).isEqualTo(slots(foretold, false));
    }
  }

  private void edit(Gen any, String key) {
    try {
      schedules.upsert(any(any, key, belfry.clock().instant()));
    } catch (IllegalArgumentException refused) {
      assertThat(refused).hasMessageContaining("would never fire");
    }
  }

  private static List<Instant> slots(List<SlotOutcome> fires, boolean run) {
    return fires.stream()
        .filter(
            slotOutcome ->
                run
                    != (slotOutcome.decision() == Fate.DROPPED
                        || slotOutcome.decision() == Fate.WILL_NOT_RUN))
        .map(SlotOutcome::slot)
        .toList();
  }

  @Property(cases = 15)
  void after_an_outage_the_planner_does_what_was_foretold(Gen any) {
    String key = "k" + any.number(0L, 1_000_000_000_000L);
    Schedule schedule = schedules.create(any(any, key, belfry.clock().instant())).schedule();
    belfry.clock().advance(any.upTo(Duration.ofHours(12)));
    Instant now = belfry.clock().instant();
    Instant to = now.plus(any.upTo(Duration.ofHours(3)));

    List<SlotOutcome> foretold =
        schedules.fires(key, schedule.created().at(), to, 1_000).orElseThrow();

    var standing =
        new Standing(
            schedule.id(),
            key,
            1,
            schedule.definition(),
            schedule.created().at(),
            new TreeSet<>(),
            0,
            Optional.empty());
    List<PlannedRun> planned = Planner.plan(standing, now, to).runs();
    assertThat(slots(foretold, true))
        .isEqualTo(
            planned.stream().map(PlannedRun::slot).filter(slot -> !slot.isAfter(to)).toList());
    node.runDue();
    assertThat(
            slots(schedules.fires(key, schedule.created().at(), now, 1_000).orElseThrow(), false))
        .isEqualTo(
            slots(
                foretold.stream().filter(slotOutcome -> !slotOutcome.slot().isAfter(now)).toList(),
                false));
  }
}
