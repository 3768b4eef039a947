package dev.carillon.engine;

import static dev.carillon.engine.Minutes.at;
import static dev.carillon.engine.Minutes.dropped;
import static dev.carillon.engine.Minutes.minutely;
import static dev.carillon.engine.Minutes.minutes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.carillon.ScheduleDraft;
import dev.carillon.event.EngineLoop;
import dev.carillon.event.Event;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.model.DroppedSlots;
import dev.carillon.model.DroppedSlots.Reason;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.policy.CatchUp;
import dev.carillon.policy.Overlap;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.testing.RecordingTarget;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Runs that were planned, and so were seen as pending, before all nodes died, and that came due
 * before the next one started. Five of them are planned when the tests begin.
 */
@ExtendWith(EmbeddedPostgres.class)
class OutageTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final String MISSED = "missed: no node was alive when it was due, and ";

  private final Belfry belfry;
  private final RecordingTarget bell = new RecordingTarget();
  private ManualCarillon node;

  OutageTest(DataSource postgres) {
    belfry = new Belfry(postgres);
    node = node();
  }

  private ManualCarillon node() {
    return belfry.node(builder -> builder.target("bell", bell).lookahead(MINUTE.multipliedBy(5)));
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  /** Store a schedule and plan five minutes of it. */
  private List<RunId> planned(ScheduleDraft draft) {
    node.schedules().create(draft);
    node.runDue();
    return ids();
  }

  private List<RunId> ids() {
    return runs().stream().map(Run::id).toList();
  }

  private List<Run> runs() {
    return node.runs().ofSchedule("minutely").stream()
        .sorted(Comparator.comparing(Run::slot))
        .toList();
  }

  private List<Run> passed() {
    return runs().stream().filter(run -> !run.slot().isAfter(belfry.clock().instant())).toList();
  }

  private void outage(Duration time) {
    node.close();
    belfry.clock().advance(time);
    node = node();
    node.runDue();
  }

  private static CatchUp soon(CatchUp.Mode mode) {
    return CatchUp.of(mode).grace(Duration.ofSeconds(10));
  }

  @Test
  void a_planned_run_that_was_missed_starts_as_the_very_run_that_was_seen() {
    node.schedules().create(ScheduleDraft.named("nightly").target("bell").cron("0 2 * * *", "UTC"));
    belfry.clock().advance(Duration.ofHours(2).minusSeconds(40));
    node.runDue();
    Run seen = node.runs().ofSchedule("nightly").get(0);
    assertThat(seen.state()).isEqualTo(RunState.PENDING);
    outage(Duration.ofHours(9));

    assertThat(bell.runs()).containsExactly(seen.id());
    Run ran = node.runs().get(seen.id()).orElseThrow();
    assertThat(ran.state()).isEqualTo(RunState.SUCCEEDED);
    assertThat(ran.dueAt()).isEqualTo(seen.dueAt());
    assertThat(
            belfry
                .psql()
                .rows(
                    "select concat(details ->> 'policy', details ->> 'slots', details ->> 'runs')"
                        + " from carillon.audit where action = 'schedule.caught_up'"))
        .containsExactly("once11");
    assertThat(dropped(node, "nightly")).isEmpty();
  }

  @Test
  void once_keeps_the_newest_planned_run_and_the_others_name_the_policy() {
    List<RunId> ids = planned(minutely().until(at("00:05:00")).catchUp(soon(CatchUp.Mode.ONCE)));
    outage(Duration.ofMinutes(30));

    assertThat(bell.runs()).containsExactly(ids.get(4));
    assertThat(runs()).hasSize(5);
    assertThat(runs().subList(0, 4))
        .extracting(Run::state, run -> run.reason().orElseThrow())
        .containsOnly(
            tuple(RunState.SKIPPED, MISSED + "catch-up is once: a newer slot runs for it"));
    assertThat(dropped(node, "minutely")).isEmpty();
    assertThat(node.schedules().get("minutely").orElseThrow().status())
        .isEqualTo(ScheduleStatus.RETIRED);
  }

  @Test
  void once_is_one_run_over_slots_that_were_planned_and_slots_that_were_not() {
    List<RunId> ids = planned(minutely().catchUp(soon(CatchUp.Mode.ONCE)));
    outage(Duration.ofMinutes(10).plusSeconds(30));

    assertThat(bell.slots()).containsExactly(at("00:10:00"));
    assertThat(passed().subList(0, 5)).extracting(Run::id).isEqualTo(ids);
    assertThat(passed().subList(0, 5)).extracting(Run::state).containsOnly(RunState.SKIPPED);
    assertThat(dropped(node, "minutely"))
        .containsExactly(new DroppedSlots(at("00:06:00"), at("00:09:00"), 4, Reason.MISSED));
  }

  @Test
  void all_runs_every_one_of_them_and_what_was_not_planned_after_them() {
    List<RunId> ids = planned(minutely().catchUp(soon(CatchUp.Mode.ALL)));
    outage(Duration.ofMinutes(10).plusSeconds(30));

    assertThat(bell.slots()).isEqualTo(minutes(1, 10));
    assertThat(bell.runs()).startsWith(ids.toArray(RunId[]::new));
    assertThat(dropped(node, "minutely")).isEmpty();
  }

  @Test
  void a_limit_counts_both_kinds_of_slots_and_keeps_the_newest() {
    planned(minutely().catchUp(soon(CatchUp.Mode.ALL).limit(7)));
    outage(Duration.ofMinutes(10).plusSeconds(30));

    assertThat(bell.slots()).isEqualTo(minutes(4, 10));
    assertThat(passed().subList(0, 3))
        .extracting(Run::state, run -> run.reason().orElseThrow())
        .containsOnly(
            tuple(
                RunState.SKIPPED,
                MISSED + "catch-up runs at most 7, of which there are newer ones"));
    assertThat(dropped(node, "minutely")).isEmpty();
  }

  @Test
  void what_is_older_than_the_greatest_age_is_skipped_and_says_so() {
    planned(minutely().catchUp(soon(CatchUp.Mode.ALL).maxAge(Duration.ofMinutes(8))));
    outage(Duration.ofMinutes(10).plusSeconds(30));

    assertThat(bell.slots()).isEqualTo(minutes(3, 10));
    assertThat(passed().subList(0, 2))
        .extracting(run -> run.reason().orElseThrow())
        .containsOnly(MISSED + "it is older than the PT8M that catch-up goes back");
  }

  @Test
  void skip_ends_them_as_skipped_with_the_reason_and_none_vanishes() {
    List<RunId> ids = planned(minutely().catchUp(soon(CatchUp.Mode.SKIP)));
    outage(Duration.ofMinutes(10).plusSeconds(30));

    assertThat(bell.slots()).isEmpty();
    assertThat(passed()).extracting(Run::id).isEqualTo(ids);
    assertThat(passed())
        .extracting(Run::state, run -> run.reason().orElseThrow())
        .containsOnly(tuple(RunState.SKIPPED, MISSED + "catch-up is skip"));
    assertThat(dropped(node, "minutely"))
        .containsExactly(new DroppedSlots(at("00:06:00"), at("00:10:00"), 5, Reason.MISSED));
    assertThat(
            belfry
                .psql()
                .rows(
                    "select details ->> 'slots' from carillon.audit where action = 'schedule.missed'"
                        + " order by details ->> 'first'"))
        .containsExactly("5", "5");
  }

  @Test
  void spread_keeps_them_and_starts_them_one_after_the_other() {
    List<RunId> ids = planned(minutely().until(at("00:05:00")).catchUp(soon(CatchUp.Mode.SPREAD)));
    outage(Duration.ofMinutes(10));

    assertThat(bell.slots()).isEmpty();
    assertThat(runs()).extracting(Run::dueAt).isEqualTo(minutes(11, 15));
    node.pass(Duration.ofMinutes(2));
    assertThat(bell.runs()).isEqualTo(ids.subList(0, 2));
    node.pass(Duration.ofMinutes(3));
    assertThat(bell.runs()).isEqualTo(ids);
  }

  @Test
  void within_the_grace_they_are_late_and_all_of_them_run() {
    List<RunId> ids = planned(minutely().catchUp(CatchUp.skip().grace(Duration.ofMinutes(5))));
    outage(Duration.ofMinutes(5).plusSeconds(59));

    assertThat(bell.runs()).isEqualTo(ids);
    assertThat(node.events()).noneMatch(Event.Outage.class::isInstance);
  }

  @Test
  void a_one_shot_that_is_not_to_be_caught_up_is_skipped_and_retires() {
    node.schedules()
        .create(ScheduleDraft.named("minutely").target("bell").in(MINUTE).catchUp(CatchUp.skip()));
    node.runDue();
    outage(Duration.ofMinutes(10));

    assertThat(bell.slots()).isEmpty();
    assertThat(runs()).extracting(Run::state).containsExactly(RunState.SKIPPED);
    assertThat(node.schedules().get("minutely").orElseThrow().status())
        .isEqualTo(ScheduleStatus.RETIRED);
  }

  @Test
  void the_event_tells_how_many_were_missed_and_how_many_are_left_out() {
    planned(minutely().until(at("00:05:00")).catchUp(soon(CatchUp.Mode.ALL).limit(2)));
    outage(Duration.ofMinutes(10));

    assertThat(node.events())
        .filteredOn(Event.Outage.class::isInstance)
        .extracting(
            event -> ((Event.Outage) event).runs(), event -> ((Event.Outage) event).skipped())
        .containsExactly(tuple(5, 3));
  }

  @Test
  void what_was_due_before_the_last_sign_of_life_is_late_however_late_it_is() {
    planned(minutely().catchUp(soon(CatchUp.Mode.SKIP)));
    belfry.clock().advance(Duration.ofSeconds(62));
    node.turn(EngineLoop.HEARTBEAT);
    outage(Duration.ofHours(1).plusSeconds(30));

    assertThat(bell.slots()).containsExactly(at("00:01:00"));
  }

  @Test
  void a_run_that_somebody_asked_for_is_theirs() {
    List<RunId> ids = planned(minutely().catchUp(soon(CatchUp.Mode.SKIP)));
    node.runs().cancel(ids.get(3), "not this one");
    node.runs().retry(ids.get(3));
    belfry
        .psql()
        .execute(
            "update carillon.run set wake_at = '2026-03-01T00:04:00Z', due_at = '2026-03-01T00:04:00Z'"
                + " where slot = '2026-03-01T00:04:00Z'");
    outage(Duration.ofMinutes(30).plusSeconds(30));

    assertThat(bell.runs()).containsExactly(ids.get(3));
  }

  @Test
  void thousands_of_runs_of_one_schedule_are_skipped_batch_by_batch() {
    node.schedules()
        .create(
            ScheduleDraft.named("minutely")
                .target("bell")
                .cron("* * * * * *")
                .overlap(Overlap.ALLOW)
                .catchUp(soon(CatchUp.Mode.ONCE)));
    node.close();
    node = belfry.node(builder -> builder.target("bell", bell).lookahead(Duration.ofMinutes(40)));
    while (node.turn(EngineLoop.PLANNING).isZero()) {}
    assertThat(belfry.psql().rows("select count(*)::text from carillon.run"))
        .containsExactly("2000");
    outage(Duration.ofHours(2));

    Instant newest = at("01:59:49");
    assertThat(bell.slots()).contains(newest).allMatch(slot -> !slot.isBefore(newest));
    assertThat(
            belfry
                .psql()
                .rows("select count(*)::text from carillon.history where state = 'skipped'"))
        .containsExactly("2000");
  }

  @Test
  void a_schedule_that_was_paused_meanwhile_keeps_what_was_due_before() {
    List<RunId> ids = planned(minutely().catchUp(soon(CatchUp.Mode.SKIP)));
    node.close();
    belfry.clock().advance(Duration.ofMinutes(2).plusSeconds(30));
    node.schedules().pause("minutely", "for a while");
    belfry.clock().advance(Duration.ofMinutes(30));
    node = node();
    node.runDue();

    assertThat(bell.runs()).isEqualTo(ids.subList(0, 2));
  }
}
