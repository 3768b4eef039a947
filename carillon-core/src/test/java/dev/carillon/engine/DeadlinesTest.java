package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.BackfillDraft;
import dev.carillon.PullWorkers;
import dev.carillon.RunDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.event.EngineLoop;
import dev.carillon.event.Event;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.SlowTarget;
import dev.carillon.fixture.Wiretap;
import dev.carillon.model.Payload;
import dev.carillon.model.QuietHoursDefinition;
import dev.carillon.model.Report;
import dev.carillon.model.Run;
import dev.carillon.model.RunFilter;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.model.Scope;
import dev.carillon.policy.CatchUp;
import dev.carillon.policy.Deadline;
import dev.carillon.policy.Overlap;
import dev.carillon.policy.Retry;
import dev.carillon.store.jdbc.StoreException;
import dev.carillon.target.Outcome;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.testing.RecordingTarget;
import dev.carillon.time.business.Freeze;
import dev.carillon.time.business.QuietAction;
import dev.carillon.time.business.QuietHours;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Runs that must be finished by a time: exactly one escalation for each that is not. */
@ExtendWith(EmbeddedPostgres.class)
class DeadlinesTest {
  private static final Duration TEN = Duration.ofMinutes(10);
  private static final Deadline WITHIN_TEN_MINUTES = Deadline.after(TEN, "page");

  private final Belfry belfry;
  private final Wiretap wiretap;
  private final SlowTarget slow = new SlowTarget();
  private final RecordingTarget page = new RecordingTarget();
  private final ManualCarillon node;

  DeadlinesTest(DataSource postgres) {
    belfry = new Belfry(postgres);
    wiretap = new Wiretap(postgres);
    node =
        belfry.nodeOn(
            wiretap.dataSource(), builder -> builder.asyncTarget("job", slow).target("page", page));
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  private static ScheduleDraft nightly() {
    return ScheduleDraft.named("nightly")
        .target("job")
        .cron("0 2 * * *")
        .deadline(WITHIN_TEN_MINUTES);
  }

  private List<Run> escalations() {
    return node.runs().list(RunFilter.all().target("page"));
  }

  private Map<String, @Nullable Object> story() {
    assertThat(escalations()).hasSize(1);
    return node.runs().get(escalations().get(0).id()).orElseThrow().payload().content();
  }

  private <T extends Event> List<T> told(Class<T> type) {
    return node.events().stream().filter(type::isInstance).map(type::cast).toList();
  }

  private static Instant at(String time) {
    return Instant.parse("2026-03-01T" + time + "Z");
  }

  @Test
  void a_run_that_goes_on_past_its_deadline_is_escalated_once_with_its_story() {
    node.schedules().create(nightly());
    node.pass(Duration.ofMinutes(130).minusSeconds(1));
    assertThat(escalations()).isEmpty();
    node.pass(TEN);

    RunId late = slow.last().context().id();
    assertThat(page.calls()).hasSize(1);
    assertThat(story())
        .containsEntry("event", "deadline.missed")
        .containsEntry("schedule", "nightly")
        .containsEntry("run", late.toString())
        .containsEntry("slot", "2026-03-01T02:00:00Z")
        .containsEntry("dueAt", "2026-03-01T02:00:00Z")
        .containsEntry("deadline", "2026-03-01T02:10:00Z")
        .containsEntry("overdueBy", "PT0S")
        .containsEntry("state", "running")
        .containsEntry("attempt", 1L)
        .containsEntry("node", node.carillon().nodeId().toString())
        .containsEntry("startedAt", "2026-03-01T02:00:00Z")
        .containsEntry(
            "text",
            "schedule 'nightly', slot 2026-03-01T02:00:00Z: not finished by"
                + " 2026-03-01T02:10:00Z, 0s ago; it has been running since 2026-03-01T02:00:00Z, in attempt 1");
    assertThat(escalations().get(0).correlation()).contains(late.toString());
  }

  @Test
  void listeners_and_the_audit_hear_of_it() {
    node.schedules().create(nightly());
    node.pass(Duration.ofMinutes(130));

    assertThat(told(Event.DeadlineMissed.class))
        .singleElement()
        .satisfies(
            missed -> {
              assertThat(missed.at()).isEqualTo(at("02:10:00"));
              assertThat(missed.deadline()).isEqualTo(at("02:10:00"));
              assertThat(missed.run().schedule()).contains("nightly");
              assertThat(missed.state()).isEqualTo(RunState.RUNNING);
              assertThat(missed.escalation().id()).isEqualTo(escalations().get(0).id());
              assertThat(missed.escalation().target()).isEqualTo("page");
            });
    assertThat(
            belfry
                .psql()
                .rows("select action, actor from carillon.audit where action like 'run.%'"))
        .hasSize(1);
  }

  @Test
  void a_run_that_quiet_hours_put_off_again_has_its_time_from_then_on() {
    node.carillon().quietHours().save(quietUntil("02:30:00"), "");
    node.schedules().create(nightly());
    node.pass(Duration.ofMinutes(125));
    node.carillon().quietHours().save(quietUntil("03:30:00"), "");
    node.pass(Duration.ofMinutes(95).minusSeconds(1));
    assertThat(escalations()).isEmpty();

    node.pass(Duration.ofSeconds(1));

    assertThat(story())
        .containsEntry("dueAt", "2026-03-01T03:30:00Z")
        .containsEntry("deadline", "2026-03-01T03:40:00Z");
  }

  @Test
  void a_run_that_quiet_hours_drop_while_it_waits_is_not_escalated() {
    node.carillon().quietHours().save(quietUntil("02:30:00"), "");
    node.schedules().create(nightly());
    node.pass(Duration.ofMinutes(125));
    node.carillon().quietHours().save(quiet(QuietAction.SKIP, "02:30:00"), "");
    node.pass(Duration.ofHours(2));

    assertThat(escalations()).isEmpty();
    assertThat(belfry.psql().rows("select at from carillon.deadline where at < '2026-03-02'"))
        .isEmpty();
  }

  private static QuietHoursDefinition quietUntil(String time) {
    return quiet(QuietAction.COALESCE, time);
  }

  private static QuietHoursDefinition quiet(QuietAction action, String until) {
    var freeze = new Freeze(at("01:50:00"), at(until), "a migration");
    return QuietHoursDefinition.ofEverything(
        new QuietHours("migration", ZoneId.of("UTC"), List.of(), List.of(freeze), action));
  }

  @Test
  void a_run_that_finishes_in_time_is_not_escalated_and_leaves_nothing_behind() {
    node.schedules().create(nightly().maxRuns(1));
    node.pass(Duration.ofMinutes(130).minusSeconds(1));
    slow.last().succeed();
    node.pass(Duration.ofHours(2));

    assertThat(escalations()).isEmpty();
    assertThat(belfry.psql().rows("select 1 from carillon.deadline")).isEmpty();
  }

  @Test
  void a_run_that_ends_in_the_moment_of_its_deadline_is_in_time() {
    node.schedules().create(nightly());
    node.pass(Duration.ofMinutes(130).minusSeconds(1));
    belfry.clock().advance(Duration.ofSeconds(1));
    slow.last().succeed();
    node.turn(EngineLoop.COMPLETION);
    node.turn(EngineLoop.DEADLINES);

    assertThat(escalations()).isEmpty();
  }

  @Test
  void a_run_that_failed_for_good_before_its_deadline_is_over() {
    node.schedules().create(nightly());
    node.pass(Duration.ofHours(2));
    slow.last().fail("broken");
    node.pass(TEN);

    assertThat(escalations()).isEmpty();
  }

  @Test
  void a_run_that_finished_late_is_escalated_though_no_node_looked_in_between() {
    node.schedules().create(nightly());
    node.pass(Duration.ofHours(2));
    slow.last().end(Outcome.accepted());
    node.runDue();
    belfry.clock().advance(Duration.ofMinutes(90));
    node.runs().report(slow.last().context().id(), Report.succeeded());
    node.runDue();

    assertThat(story())
        .containsEntry("state", "succeeded")
        .containsEntry("finishedAt", "2026-03-01T03:30:00Z")
        .containsEntry("overdueBy", "PT1H20M");
  }

  @Test
  void a_run_that_never_started_is_escalated() {
    ManualCarillon planner =
        belfry.node(builder -> builder.remoteTarget("job").target("page", page));
    node.close();
    planner.schedules().create(nightly());
    planner.pass(Duration.ofMinutes(130));

    assertThat(page.calls()).hasSize(1);
    assertThat(page.calls().get(0).payload().text("state")).contains("pending");
    assertThat(page.calls().get(0).payload().text("text").orElseThrow())
        .endsWith("it has not started");
  }

  @Test
  void a_run_whose_node_died_is_escalated_by_another_that_cannot_run_it() {
    ManualCarillon other = belfry.node(builder -> builder.remoteTarget("job").target("page", page));
    node.schedules().create(nightly());
    node.pass(Duration.ofHours(2));
    other.pass(TEN);

    assertThat(page.calls()).hasSize(1);
    assertThat(page.calls().get(0).payload().text("state")).contains("pending");
    assertThat(page.calls().get(0).payload().content().get("lastFailure"))
        .asString()
        .contains("node_lost");
  }

  @Test
  void a_run_that_is_tried_again_and_again_has_one_deadline() {
    node.schedules()
        .create(nightly().retry(Retry.times(100).backoff(Duration.ofMinutes(2)).factor(1)));
    node.pass(Duration.ofHours(2));
    for (int minutes = 0; minutes < 20; minutes += 2) {
      slow.last().fail("broken-" + minutes);
      node.pass(Duration.ofMinutes(2));
    }

    assertThat(story()).containsEntry("state", "running");
    assertThat(story().get("lastFailure"))
        .isEqualTo(Map.of("code", "broken-8", "message", "as the test wanted"));
  }

  @Test
  void a_run_that_waits_for_an_earlier_one_is_escalated_too() {
    node.schedules()
        .create(
            ScheduleDraft.named("often")
                .target("job")
                .every(Duration.ofMinutes(5))
                .overlap(Overlap.QUEUE)
                .maxRuns(2)
                .deadline(WITHIN_TEN_MINUTES));
    node.pass(Duration.ofMinutes(30));

    assertThat(page.calls())
        .extracting(context -> context.payload().text("state").orElse(""))
        .containsExactly("running", "pending");
  }

  @Test
  void a_run_that_was_accepted_elsewhere_is_escalated_and_goes_on() {
    node.schedules().create(nightly());
    node.pass(Duration.ofHours(2));
    slow.last().end(Outcome.accepted("there-1"));
    node.pass(TEN);

    assertThat(story()).containsEntry("state", "running").containsEntry("externalId", "there-1");
    assertThat(node.runs().get(slow.last().context().id()).orElseThrow().state())
        .isEqualTo(RunState.RUNNING);
  }

  @Test
  void a_run_that_a_worker_has_is_escalated() {
    ManualCarillon server =
        belfry.node(builder -> builder.remoteTarget("press").target("page", page));
    server.runs().enqueue(RunDraft.of("press").deadline(WITHIN_TEN_MINUTES));
    PullWorkers workers = server.carillon().pullWorkers();
    assertThat(workers.claim("anna", List.of("press"), 1, Duration.ofHours(5))).hasSize(1);
    server.pass(TEN);

    assertThat(story()).containsEntry("state", "running").containsEntry("attempt", 1L);
  }

  @Test
  void a_restart_after_the_deadline_escalates_what_was_missed_meanwhile() {
    node.schedules().create(nightly());
    node.pass(Duration.ofHours(2).minusSeconds(30));
    node.close();
    belfry.clock().advance(Duration.ofHours(9));
    ManualCarillon next =
        belfry.node(builder -> builder.asyncTarget("job", slow).target("page", page));
    next.runDue();

    assertThat(page.calls()).hasSize(1);
    assertThat(page.calls().get(0).payload().text("overdueBy")).contains("PT8H49M30S");
  }

  @Test
  void slots_that_catch_up_leaves_out_are_not_escalated() {
    node.schedules().create(nightly().catchUp(CatchUp.skip()));
    node.pass(Duration.ofHours(2).minusSeconds(30));
    node.close();
    belfry.clock().advance(Duration.ofHours(9));
    ManualCarillon next =
        belfry.node(builder -> builder.asyncTarget("job", slow).target("page", page));
    next.runDue();

    assertThat(next.runs().list(RunFilter.bySchedule("nightly")))
        .extracting(Run::state)
        .contains(RunState.SKIPPED);
    assertThat(page.calls()).isEmpty();
    assertThat(belfry.psql().rows("select 1 from carillon.deadline where at < '2026-03-02'"))
        .isEmpty();
  }

  @Test
  void canceled_and_skipped_runs_are_not_escalated() {
    RunId id = node.runs().enqueue(RunDraft.of("job").in(TEN).deadline(WITHIN_TEN_MINUTES));
    node.runs().cancel(id, "no longer needed");
    node.schedules()
        .create(
            ScheduleDraft.named("often")
                .target("job")
                .every(Duration.ofMinutes(1))
                .maxRuns(2)
                .deadline(WITHIN_TEN_MINUTES));
    node.pass(Duration.ofMinutes(5));
    slow.last().succeed();
    node.pass(Duration.ofMinutes(20));

    assertThat(node.runs().list(RunFilter.all().state(RunState.SKIPPED))).hasSize(1);
    assertThat(page.calls()).isEmpty();
  }

  @Test
  void the_deadline_of_a_run_without_a_schedule_counts_from_when_it_is_due() {
    node.runs().enqueue(RunDraft.of("job").in(TEN).deadline(WITHIN_TEN_MINUTES));
    node.runs().enqueue(RunDraft.of("job").deadline(at("00:15:00"), "page"));
    node.pass(Duration.ofMinutes(15).minusSeconds(1));
    assertThat(page.calls()).isEmpty();
    node.pass(Duration.ofSeconds(1));
    assertThat(page.calls()).hasSize(1);
    node.pass(TEN);

    assertThat(page.calls())
        .extracting(context -> context.payload().text("deadline").orElse(""))
        .containsExactly("2026-03-01T00:15:00Z", "2026-03-01T00:20:00Z");
  }

  @Test
  void a_request_that_is_repeated_has_one_deadline() {
    RunDraft draft = RunDraft.of("job").requestId("once").deadline(at("00:10:00"), "page");
    RunId first = node.runs().enqueue(draft);
    node.pass(TEN);
    RunId again = node.runs().enqueue(draft);
    node.pass(TEN);

    assertThat(again).isEqualTo(first);
    assertThat(page.calls()).hasSize(1);
  }

  @Test
  void a_manual_run_has_the_deadline_of_its_schedule() {
    node.schedules().create(nightly());
    node.schedules().runNow("nightly");
    node.pass(TEN);

    assertThat(story()).containsEntry("trigger", "manual");
  }

  @Test
  void runs_for_past_slots_have_no_deadline() {
    node.schedules().create(nightly());
    node.close();
    belfry.clock().advance(Duration.ofDays(1));
    ManualCarillon next =
        belfry.node(builder -> builder.asyncTarget("job", slow).target("page", page));
    next.schedules().pause("nightly", "only the past");
    next.schedules().backfill("nightly", BackfillDraft.between(at("00:00:00"), at("12:00:00")));
    next.pass(Duration.ofMinutes(20));

    assertThat(slow.calls()).isNotEmpty();
    assertThat(page.calls()).isEmpty();
  }

  @Test
  void a_run_that_is_run_again_before_its_deadline_keeps_it() {
    RunId id = node.runs().enqueue(RunDraft.of("job").deadline(WITHIN_TEN_MINUTES));
    node.runDue();
    slow.last().fail("broken");
    node.runDue();
    node.runs().retry(id);
    node.pass(TEN);

    assertThat(story()).containsEntry("attempt", 2L);
  }

  @Test
  void a_run_that_was_escalated_is_not_escalated_again_when_it_is_run_again() {
    RunId id = node.runs().enqueue(RunDraft.of("job").deadline(WITHIN_TEN_MINUTES));
    node.pass(TEN);
    slow.last().fail("broken");
    node.runDue();
    node.runs().retry(id);
    node.pass(TEN);

    assertThat(page.calls()).hasSize(1);
  }

  @Test
  void an_edit_changes_the_deadlines_of_runs_that_are_only_planned() {
    node.schedules().create(nightly());
    node.pass(Duration.ofMinutes(119).plusSeconds(30));
    node.schedules().upsert(nightly().noDeadline());
    node.pass(Duration.ofMinutes(15));
    assertThat(slow.calls()).hasSize(1);
    assertThat(page.calls()).isEmpty();

    slow.last().succeed();
    node.schedules().upsert(nightly().deadline(Deadline.after(Duration.ofMinutes(5), "page")));
    node.pass(Duration.ofHours(24));
    assertThat(story()).containsEntry("deadline", "2026-03-02T02:05:00Z");
  }

  @Test
  void a_pause_takes_the_deadline_of_a_planned_run_back_with_it() {
    node.schedules().create(nightly());
    node.pass(Duration.ofMinutes(119).plusSeconds(30));
    node.schedules().pause("nightly", "a holiday");
    node.pass(Duration.ofHours(5));

    assertThat(slow.calls()).isEmpty();
    assertThat(page.calls()).isEmpty();
    assertThat(belfry.psql().rows("select 1 from carillon.deadline")).isEmpty();
  }

  @Test
  void a_time_of_day_is_that_of_the_schedules_zone_after_the_slot() {
    node.schedules()
        .create(
            ScheduleDraft.named("evening")
                .target("job")
                .cron("50 23 * * *", "America/New_York")
                .deadline(Deadline.at(LocalTime.of(0, 5), "page")));
    node.pass(Duration.ofMinutes(310));

    assertThat(story()).containsEntry("deadline", "2026-03-01T05:05:00Z");
  }

  @Test
  void an_escalation_waits_for_a_target_that_is_missing_at_the_time() {
    node.schedules().create(nightly());
    node.close();
    ManualCarillon without = belfry.node(builder -> builder.asyncTarget("job", slow));
    without.pass(Duration.ofMinutes(135));
    assertThat(escalations()).extracting(Run::state).containsExactly(RunState.PENDING);

    ManualCarillon back = belfry.node(builder -> builder.target("page", page));
    back.runDue();
    assertThat(page.calls()).hasSize(1);
  }

  @Test
  void an_escalation_that_fails_is_tried_again() {
    node.schedules().create(nightly());
    page.failing("nobody home");
    node.pass(Duration.ofMinutes(130));
    page.then(context -> {});
    node.pass(Duration.ofMinutes(1));

    assertThat(page.calls()).hasSize(2);
    assertThat(escalations()).extracting(Run::state).containsExactly(RunState.SUCCEEDED);
  }

  @Test
  void an_unknown_target_is_refused_with_the_field_and_the_cure() {
    assertThatThrownBy(
            () -> node.schedules().create(nightly().deadline(Deadline.after(TEN, "pge"))))
        .hasMessage("schedule 'nightly' has the unknown target 'pge'; known are page, job")
        .extracting("field")
        .isEqualTo(Optional.of("deadline/escalateTo"));
    assertThatThrownBy(
            () -> node.runs().enqueue(RunDraft.of("job").deadline(Deadline.after(TEN, "pge"))))
        .hasMessage("the deadline has the unknown target 'pge'; known are page, job");
    assertThatThrownBy(
            () -> node.schedules().create(nightly().deadline(WITHIN_TEN_MINUTES.calendar("it"))))
        .hasMessageContaining("there is no calendar 'it'; create it first");
    assertThatThrownBy(
            () -> node.runs().enqueue(RunDraft.of("job").deadline(at("00:00:00"), "page")))
        .hasMessageContaining("a deadline is after the run is due");
  }

  @Test
  void a_caller_who_does_not_reach_a_target_cannot_escalate_to_it() {
    var jobs = new Scope(List.of("job"), List.of(), List.of());

    assertThatThrownBy(() -> node.schedules().within(jobs).upsert(nightly()))
        .hasMessage("your token reaches these targets only: job");
    assertThatThrownBy(
            () -> node.runs().within(jobs).enqueue(RunDraft.of("job").deadline(WITHIN_TEN_MINUTES)))
        .hasMessage("your token reaches these targets only: job");
  }

  @Test
  void an_escalation_whose_commit_was_not_confirmed_is_there_once() {
    node.runs().enqueue(RunDraft.of("job").deadline(WITHIN_TEN_MINUTES));
    node.runDue();
    belfry.clock().advance(TEN);
    node.turn(EngineLoop.HEARTBEAT);
    wiretap.loseNextConfirmation();
    assertThatThrownBy(() -> node.turn(EngineLoop.DEADLINES)).isInstanceOf(StoreException.class);
    node.turn(EngineLoop.DEADLINES);
    node.runDue();

    assertThat(page.calls()).hasSize(1);
  }

  @Test
  void five_thousand_that_are_missed_at_once_are_escalated_in_batches_by_two_nodes() {
    ManualCarillon other = belfry.node(builder -> builder.remoteTarget("job").remoteTarget("page"));
    List<RunId> late =
        node.runs()
            .enqueueAll(
                Collections.nCopies(
                    5_000, RunDraft.of("job").in(TEN).deadline(at("00:20:00"), "page")));
    belfry.clock().advance(Duration.ofMinutes(20));
    node.turn(EngineLoop.HEARTBEAT);
    other.turn(EngineLoop.HEARTBEAT);
    int turns = 0;
    while (!belfry.psql().rows("select 1 from carillon.deadline limit 1").isEmpty()) {
      (turns++ % 2 == 0 ? node : other).turn(EngineLoop.DEADLINES);
    }

    assertThat(turns).isEqualTo(10);
    assertThat(belfry.psql().rows("select correlation from carillon.run where target = 'page'"))
        .containsExactlyInAnyOrderElementsOf(late.stream().map(RunId::toString).toList());
  }

  @Test
  void a_run_that_another_transaction_has_locked_is_judged_later() throws Exception {
    node.runs().enqueue(RunDraft.of("job").deadline(WITHIN_TEN_MINUTES));
    node.runDue();
    belfry.clock().advance(TEN);
    node.turn(EngineLoop.HEARTBEAT);
    try (var connection = belfry.source().getConnection();
        var statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("select 1 from carillon.run for update");
      node.turn(EngineLoop.DEADLINES);
      assertThat(escalations()).isEmpty();
      connection.rollback();
    }
    node.turn(EngineLoop.DEADLINES);

    assertThat(escalations()).hasSize(1);
  }

  @Test
  void runs_without_a_deadline_write_nothing_more() {
    node.runs().enqueue(RunDraft.of("job").payload(Payload.of("a", 1)));
    node.schedules().create(nightly().noDeadline());
    node.pass(Duration.ofMinutes(130));

    assertThat(belfry.psql().rows("select 1 from carillon.deadline")).isEmpty();
    assertThat(escalations()).isEmpty();
  }
}
