package dev.carillon.engine;

import static dev.carillon.engine.Minutes.at;
import static dev.carillon.engine.Minutes.minutely;
import static dev.carillon.engine.Minutes.minutes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.BackfillDraft;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.model.RunId;
import dev.carillon.model.Trigger;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.testing.RecordingTarget;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Past slots without a run that somebody wants to be made up for. */
@ExtendWith(EmbeddedPostgres.class)
class BackfillTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Belfry belfry;
  private final RecordingTarget bell = new RecordingTarget();
  private final ManualCarillon node;

  BackfillTest(DataSource postgres) {
    belfry = new Belfry(postgres);
    node = belfry.node(builder -> builder.target("bell", bell));
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  private void outage(Duration time) {
    belfry.clock().advance(time);
    node.runDue();
  }

  @Test
  void backfill_makes_up_for_slots_without_a_run_and_no_others() {
    node.schedules().create(minutely());
    node.pass(MINUTE.multipliedBy(2));
    outage(MINUTE.multipliedBy(4).plusSeconds(30));
    bell.clear();
    var draft = BackfillDraft.between(at("00:00:30"), at("00:06:00"));
    List<Instant> preview = node.schedules().previewBackfill("minutely", draft).orElseThrow();
    List<RunId> made = node.schedules().backfill("minutely", draft).orElseThrow();
    node.runDue();

    assertThat(bell.slots()).isEqualTo(minutes(3, 6)).isEqualTo(preview);
    assertThat(made).extracting(RunId::slot).isEqualTo(preview);
    assertThat(bell.calls()).allMatch(call -> call.trigger() == Trigger.BACKFILL);
  }

  @Test
  void backfill_twice_is_backfill_once() {
    node.schedules().create(minutely());
    outage(MINUTE.multipliedBy(5).plusSeconds(30));
    var draft = BackfillDraft.between(at("00:00:30"), at("00:05:00"));
    node.schedules().backfill("minutely", draft);

    assertThat(node.schedules().backfill("minutely", draft)).contains(List.of());
    node.runDue();
    assertThat(node.schedules().backfill("minutely", draft)).contains(List.of());
    node.runDue();
    assertThat(bell.slots()).isEqualTo(minutes(1, 5));
  }

  @Test
  void backfill_takes_the_oldest_up_to_its_limit() {
    node.schedules().create(minutely());
    outage(MINUTE.multipliedBy(5).plusSeconds(30));
    node.schedules()
        .backfill("minutely", BackfillDraft.between(at("00:00:30"), at("00:05:00")).limit(2));
    node.runDue();

    assertThat(bell.slots()).isEqualTo(minutes(1, 2));
  }

  @Test
  void backfill_is_spread_over_the_time_it_was_given() {
    node.schedules().create(minutely());
    outage(MINUTE.multipliedBy(4).plusSeconds(30));
    Instant now = belfry.clock().instant();
    node.schedules()
        .backfill(
            "minutely",
            BackfillDraft.between(at("00:00:30"), at("00:04:00")).spread(Duration.ofSeconds(20)));
    node.pass(Duration.ofSeconds(20));

    assertThat(bell.calls())
        .extracting(call -> Duration.between(now, call.dueAt()).toSeconds())
        .containsExactly(0L, 5L, 10L, 15L);
  }

  @Test
  void backfill_reaches_back_before_the_schedule_was_made() {
    node.schedules().create(minutely());
    node.schedules()
        .backfill(
            "minutely",
            BackfillDraft.between(at("00:00:00").minus(MINUTE.multipliedBy(3)), at("00:00:00")));
    node.runDue();

    assertThat(bell.slots()).isEqualTo(minutes(-3, 0));
  }

  @Test
  void backfill_leaves_the_slots_to_come_to_planning() {
    node.schedules().create(minutely());
    node.runDue();

    assertThat(
            node.schedules()
                .previewBackfill("minutely", BackfillDraft.between(at("00:00:30"), at("01:00:00"))))
        .contains(List.of());
  }
}
