package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.BackfillDraft;
import dev.carillon.RunDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.event.EngineLoop;
import dev.carillon.event.Event;
import dev.carillon.event.Event.RunRef;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.SlowTarget;
import dev.carillon.model.AuditFilter;
import dev.carillon.model.DroppedSlots;
import dev.carillon.model.DroppedSlots.Reason;
import dev.carillon.model.EndReason;
import dev.carillon.model.Failure;
import dev.carillon.model.Payload;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.policy.Overlap;
import dev.carillon.policy.Retry;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.testing.RecordingTarget;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is told, once it is durable, and what is kept of who changed what. */
@ExtendWith(EmbeddedPostgres.class)
class EventsTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Failure WANTED = Failure.of("broken", "as the test wanted");

  private final Belfry belfry;
  private final SlowTarget slow = new SlowTarget();
  private final RecordingTarget bell = new RecordingTarget();
  private final ManualCarillon node;

  EventsTest(DataSource postgres) {
    belfry = new Belfry(postgres);
    node = belfry.node(builder -> builder.asyncTarget("slow", slow).target("bell", bell));
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  private Instant now() {
    return belfry.clock().instant();
  }

  private <T extends Event> List<T> told(Class<T> type) {
    return node.events().stream().filter(type::isInstance).map(type::cast).toList();
  }

  private List<String> audited() {
    return belfry.psql().rows("select action, actor from carillon.audit order by id");
  }

  private static RunRef adHoc(RunId id, String target) {
    return new RunRef(id, Optional.empty(), target);
  }

  @Test
  void joining_is_told() {
    assertThat(told(Event.NodeJoined.class))
        .containsExactly(new Event.NodeJoined(now(), node.carillon().nodeId(), 1));
  }

  @Test
  void planning_is_told_with_what_was_dropped() {
    node.schedules()
        .create(ScheduleDraft.named("often").target("bell").every(Duration.ofSeconds(20)));
    belfry.clock().advance(Duration.ofSeconds(75));
    node.runDue();

    assertThat(told(Event.Planned.class))
        .singleElement()
        .satisfies(
            planned -> {
              assertThat(planned.at()).isEqualTo(now());
              assertThat(planned.schedule()).isEqualTo("often");
              assertThat(planned.runs()).isEqualTo(3);
              assertThat(planned.dropped())
                  .containsExactly(
                      new DroppedSlots(
                          Instant.parse("2026-03-01T00:00:20Z"),
                          Instant.parse("2026-03-01T00:01:00Z"),
                          3,
                          Reason.MISSED));
            });
  }

  @Test
  void a_start_is_told_when_the_run_is_durably_this_nodes_own() {
    Instant due = now();
    RunId id = node.runs().enqueue(RunDraft.of("slow"));
    belfry.clock().advance(Duration.ofSeconds(1));
    node.runDue();

    assertThat(told(Event.Started.class))
        .containsExactly(new Event.Started(now(), adHoc(id, "slow"), due, 1));
  }

  @Test
  void a_success_is_told_once() {
    RunId id = node.runs().enqueue(RunDraft.of("slow"));
    Instant due = now();
    node.runDue();
    belfry.clock().advance(Duration.ofSeconds(2));
    slow.last().succeed();
    node.runDue();
    node.runDue();

    assertThat(told(Event.Finished.class))
        .containsExactly(
            new Event.Finished(
                now(),
                adHoc(id, "slow"),
                RunState.SUCCEEDED,
                due,
                Optional.of(due),
                1,
                Optional.empty(),
                Optional.empty()));
  }

  @Test
  void a_failure_that_is_tried_again_and_its_end_are_told() {
    RunId id = node.runs().enqueue(RunDraft.of("slow").retry(Retry.times(2)));
    Instant due = now();
    node.runDue();
    slow.last().fail("broken");
    node.runDue();
    node.pass(Duration.ofSeconds(2));
    slow.last().fail("broken");
    node.runDue();

    assertThat(told(Event.Retrying.class))
        .containsExactly(new Event.Retrying(due, adHoc(id, "slow"), 1, due.plusSeconds(2), WANTED));
    assertThat(told(Event.Finished.class))
        .containsExactly(
            new Event.Finished(
                now(),
                adHoc(id, "slow"),
                RunState.FAILED,
                due,
                Optional.of(now()),
                2,
                Optional.of(WANTED),
                Optional.empty()));
  }

  @Test
  void the_cancellation_of_a_pending_run_is_told() {
    RunId id = node.runs().enqueue(RunDraft.of("slow").in(MINUTE));
    node.runs().cancel(id, "not needed");

    assertThat(told(Event.Finished.class))
        .containsExactly(
            new Event.Finished(
                now(),
                adHoc(id, "slow"),
                RunState.CANCELED,
                now().plus(MINUTE),
                Optional.empty(),
                0,
                Optional.empty(),
                Optional.of(EndReason.canceled("not needed"))));
  }

  @Test
  void the_cancellation_of_many_runs_is_told_of_each() {
    node.runs()
        .enqueueAll(
            List.of(
                RunDraft.of("slow").in(MINUTE).correlation("x"),
                RunDraft.of("slow").in(MINUTE).correlation("x")));
    node.runs().cancelAll("x", "not needed");

    assertThat(told(Event.Finished.class))
        .hasSize(2)
        .allMatch(event -> event.state() == RunState.CANCELED);
  }

  @Test
  void a_run_that_is_canceled_while_it_fails_is_told_as_canceled_only() {
    RunId id = node.runs().enqueue(RunDraft.of("slow").retry(Retry.times(3)));
    node.runDue();
    node.runs().cancel(id, "not needed");
    slow.last().fail("broken");
    node.turn(EngineLoop.COMPLETION);

    assertThat(told(Event.Retrying.class)).isEmpty();
    assertThat(told(Event.Finished.class))
        .extracting(Event.Finished::state)
        .containsExactly(RunState.CANCELED);
  }

  @Test
  void a_run_that_is_skipped_is_told_with_the_reason() {
    node.schedules().create(ScheduleDraft.named("hourly").target("slow").cron("0 * * * *"));
    node.schedules().runNow("hourly");
    node.schedules().runNow("hourly");
    node.runDue();

    assertThat(told(Event.Finished.class))
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.state()).isEqualTo(RunState.SKIPPED);
              assertThat(event.run().schedule()).contains("hourly");
              assertThat(event.reason().orElseThrow().text()).endsWith("is unfinished");
            });
  }

  @Test
  void runs_that_are_replaced_are_told() {
    node.schedules()
        .create(
            ScheduleDraft.named("minutely")
                .target("slow")
                .cron("* * * * *")
                .overlap(Overlap.CANCEL_PREVIOUS));
    node.pass(MINUTE.multipliedBy(3).plusSeconds(5));
    slow.last().fail("stopped");
    node.runDue();

    assertThat(told(Event.Finished.class))
        .extracting(Event.Finished::state)
        .containsExactly(RunState.SKIPPED, RunState.CANCELED);
  }

  @Test
  void changes_of_schedules_are_told() {
    node.schedules()
        .as("ann")
        .create(ScheduleDraft.named("daily").target("bell").cron("0 0 * * *"));
    node.schedules().as("ben").pause("daily", "holidays");
    node.schedules().as("ann").resume("daily");
    node.schedules().as("ann").patch("daily", draft -> draft.cron("0 1 * * *"));
    node.schedules().as("ann").retire("daily");

    assertThat(told(Event.Changed.class))
        .containsExactly(
            new Event.Changed(now(), "daily", "schedule.created", "ann", Optional.empty()),
            new Event.Changed(now(), "daily", "schedule.paused", "ben", Optional.of("holidays")),
            new Event.Changed(now(), "daily", "schedule.resumed", "ann", Optional.empty()),
            new Event.Changed(now(), "daily", "schedule.changed", "ann", Optional.empty()),
            new Event.Changed(now(), "daily", "schedule.retired", "ann", Optional.empty()));
  }

  @Test
  void what_the_scheduler_changes_by_itself_is_told_as_its_own() {
    bell.failing("no rope");
    node.schedules()
        .create(
            ScheduleDraft.named("minutely").target("bell").cron("* * * * *").pauseAfterFailures(1));
    node.pass(MINUTE);

    assertThat(told(Event.Changed.class))
        .last()
        .isEqualTo(
            new Event.Changed(
                now(),
                "minutely",
                "schedule.paused",
                "carillon",
                Optional.of("1 failure, the last: IllegalStateException: no rope")));
  }

  @Test
  void the_end_of_a_one_shot_is_told() {
    node.schedules().create(ScheduleDraft.named("once").target("bell").in(MINUTE));
    node.pass(MINUTE);

    assertThat(told(Event.Changed.class))
        .extracting(Event.Changed::action)
        .containsExactly("schedule.created", "schedule.completed");
  }

  @Test
  void what_is_rolled_back_is_not_told() {
    node.schedules().create(ScheduleDraft.named("daily").target("bell").cron("0 0 * * *"));
    try {
      node.schedules()
          .patch(
              "daily",
              draft -> {
                throw new IllegalStateException("changed my mind");
              });
    } catch (IllegalStateException expected) {
      assertThat(expected).hasMessage("changed my mind");
    }

    assertThat(told(Event.Changed.class)).hasSize(1);
  }

  @Test
  void a_listener_that_throws_harms_nobody() {
    var deaf =
        belfry.node(
            builder ->
                builder
                    .listener(
                        event -> {
                          throw new AssertionError("no ear");
                        })
                    .target("bell", bell));
    RunId id = deaf.runs().enqueue(RunDraft.of("bell"));
    deaf.runDue();

    assertThat(deaf.runs().get(id).orElseThrow().state()).isEqualTo(RunState.SUCCEEDED);
    assertThat(deaf.events()).hasAtLeastOneElementOfType(Event.Finished.class);
  }

  @Test
  void every_change_of_a_schedule_leaves_one_line_in_the_audit() {
    var schedules = node.schedules().as("ann");
    schedules.create(ScheduleDraft.named("daily").target("bell").cron("0 0 * * *"));
    schedules.upsert(ScheduleDraft.named("daily").target("bell").cron("0 1 * * *"));
    schedules.patch("daily", draft -> draft.cron("0 2 * * *"));
    schedules.rollback("daily", 1);
    schedules.pause("daily", "holidays");
    schedules.resume("daily");
    schedules.runNow("daily");
    schedules.backfill("daily", BackfillDraft.between(now().minus(Duration.ofDays(2)), now()));
    schedules.retire("daily");

    assertThat(audited())
        .containsExactly(
            "schedule.created ann",
            "schedule.changed ann",
            "schedule.changed ann",
            "schedule.changed ann",
            "schedule.paused ann",
            "schedule.resumed ann",
            "schedule.run ann",
            "schedule.backfilled ann",
            "schedule.retired ann");
  }

  @Test
  void what_changes_nothing_leaves_no_line_in_the_audit() {
    var draft = ScheduleDraft.named("daily").target("bell").cron("0 0 * * *");
    node.schedules().create(draft);
    node.schedules().create(draft);
    node.schedules().upsert(draft);
    node.schedules().resume("daily");
    node.schedules().retire("unknown");
    node.runs().cancel(new RunId(999_999, now(), 0), "who?");
    node.runs().retry(new RunId(999_999, now(), 0));

    assertThat(audited()).containsExactly("schedule.created java");
  }

  @Test
  void every_change_of_a_run_leaves_one_line_in_the_audit() {
    var runs = node.runs().as("ann");
    RunId first = runs.enqueue(RunDraft.of("slow").in(MINUTE));
    runs.enqueueAll(
        List.of(
            RunDraft.of("slow").in(MINUTE).correlation("x"),
            RunDraft.of("slow").in(MINUTE).correlation("x")));
    runs.cancel(first, "not needed");
    runs.retry(first, Payload.of("a", 1));
    runs.cancelAll("x", "not needed");

    assertThat(audited())
        .containsExactly(
            "run.canceled ann", "run.retried ann", "run.canceled ann", "run.canceled ann");
  }

  @Test
  void the_audit_is_found_by_schedule_actor_and_action() {
    node.schedules().as("ann").create(ScheduleDraft.named("one").target("bell").cron("0 0 * * *"));
    node.schedules().as("ben").create(ScheduleDraft.named("two").target("bell").cron("0 0 * * *"));
    node.schedules().as("ben").pause("two", "holidays");

    assertThat(node.schedules().audit(AuditFilter.bySchedule("two"), 10)).hasSize(2);
    assertThat(node.schedules().audit(AuditFilter.all().actor("ann"), 10)).hasSize(1);
    assertThat(node.schedules().audit(AuditFilter.all().action("schedule.paused"), 10))
        .singleElement()
        .satisfies(line -> assertThat(line.details()).containsEntry("reason", "holidays"));
  }

  @Test
  void the_work_of_a_run_leaves_no_line_in_the_audit() {
    node.runs().enqueue(RunDraft.of("bell"));
    node.runDue();

    assertThat(audited()).isEmpty();
  }
}
