package dev.carillon.engine;

import static dev.carillon.engine.Minutes.at;
import static dev.carillon.engine.Minutes.dropped;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.ScheduleDraft;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.model.DroppedSlots;
import dev.carillon.model.DroppedSlots.Reason;
import dev.carillon.model.Run;
import dev.carillon.model.RunFilter;
import dev.carillon.model.ScheduleFilter;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.testing.RecordingTarget;
import dev.carillon.time.Jitter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Slots that have come and whose runs wait for their jitter when their schedule stops. */
@ExtendWith(EmbeddedPostgres.class)
class JitteredStopsTest {
  private static final String KEY = "jittered";
  private static final Instant SLOT = at("00:10:00");

  private final Belfry belfry;
  private final RecordingTarget bell = new RecordingTarget();
  private final ManualCarillon node;

  JitteredStopsTest(DataSource postgres) {
    belfry = new Belfry(postgres);
    node = belfry.node(builder -> builder.target("bell", bell));
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  private static ScheduleDraft jittered() {
    return ScheduleDraft.named(KEY)
        .target("bell")
        .cron("10 * * * *")
        .jitter(Jitter.after(Duration.ofMinutes(9)));
  }

  /* The slot has come by a second, and its run is due some minutes later. */
  private void waiting(ScheduleDraft draft) {
    node.schedules().upsert(draft);
    node.pass(Duration.between(belfry.clock().instant(), SLOT.plusSeconds(1)));
    assertThat(bell.slots()).isEmpty();
    assertThat(node.runs().list(RunFilter.bySchedule(KEY)))
        .filteredOn(run -> run.slot().equals(SLOT))
        .extracting(Run::dueAt)
        .allMatch(due -> due.isAfter(belfry.clock().instant()))
        .hasSize(1);
  }

  private static DroppedSlots one(Reason reason) {
    return new DroppedSlots(SLOT, SLOT, 1, reason);
  }

  @Test
  void retiring_records_the_slot_whose_run_it_takes_back() {
    waiting(jittered());

    node.schedules().retire(KEY);

    assertThat(dropped(node, KEY)).containsExactly(one(Reason.RETIRED));
    node.pass(Duration.ofMinutes(20));
    assertThat(bell.slots()).isEmpty();
  }

  @Test
  void retiring_all_that_match_records_the_slot_too() {
    waiting(jittered());

    node.schedules().retireAll(ScheduleFilter.all().target("bell"));

    assertThat(dropped(node, KEY)).containsExactly(one(Reason.RETIRED));
  }

  @Test
  void retiring_twice_records_it_once() {
    waiting(jittered());

    node.schedules().retire(KEY);
    node.schedules().retire(KEY);

    assertThat(dropped(node, KEY)).containsExactly(one(Reason.RETIRED));
  }

  @Test
  void retiring_a_schedule_that_completed_records_its_last_slot() {
    waiting(jittered().until(at("00:30:00")));

    node.schedules().retire(KEY);

    assertThat(dropped(node, KEY)).containsExactly(one(Reason.RETIRED));
  }

  @Test
  void retiring_before_the_slot_comes_records_nothing() {
    node.schedules().create(jittered());
    node.pass(Duration.between(belfry.clock().instant(), SLOT.minusSeconds(1)));

    node.schedules().retire(KEY);

    assertThat(dropped(node, KEY)).isEmpty();
    assertThat(node.runs().list(RunFilter.bySchedule(KEY))).isEmpty();
  }

  @Test
  void a_pause_records_the_slot_whose_run_it_takes_back() {
    waiting(jittered());

    node.schedules().pause(KEY, "why");

    assertThat(dropped(node, KEY)).containsExactly(one(Reason.PAUSED));
  }

  @Test
  void a_slot_that_came_before_an_edit_runs() {
    waiting(jittered());

    node.schedules().upsert(jittered().cron("40 * * * *"));

    node.pass(Duration.ofMinutes(20));
    assertThat(bell.slots()).containsExactly(SLOT);
  }

  @Test
  void a_slot_that_came_before_a_rollback_runs() {
    node.schedules().create(jittered().cron("40 * * * *"));
    waiting(jittered());

    node.schedules().rollback(KEY, 1);

    node.pass(Duration.ofMinutes(20));
    assertThat(bell.slots()).containsExactly(SLOT);
  }

  @Test
  void a_slot_in_the_window_runs_though_the_window_ends_before_its_jitter() {
    waiting(jittered().until(SLOT.plusSeconds(5)));

    node.pass(Duration.ofMinutes(20));

    assertThat(bell.slots()).isEqualTo(List.of(SLOT));
  }
}
