package dev.carillon.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.carillon.BackfillDraft;
import dev.carillon.Carillon;
import dev.carillon.DeadLetters;
import dev.carillon.RunDraft;
import dev.carillon.Runs;
import dev.carillon.ScheduleDraft;
import dev.carillon.Schedules;
import dev.carillon.TargetRegistry;
import dev.carillon.event.Event;
import dev.carillon.event.Listener;
import dev.carillon.event.Meter;
import dev.carillon.model.ChangeResult.Change;
import dev.carillon.model.Decision;
import dev.carillon.model.DroppedSlots;
import dev.carillon.model.DryRun;
import dev.carillon.model.Failure;
import dev.carillon.model.Page;
import dev.carillon.model.Payload;
import dev.carillon.model.Run;
import dev.carillon.model.RunFilter;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.model.Schedule;
import dev.carillon.model.ScheduleFilter;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.model.SlotOutcome;
import dev.carillon.model.Trigger;
import dev.carillon.model.UpcomingSlot;
import dev.carillon.policy.CatchUp;
import dev.carillon.policy.Overlap;
import dev.carillon.policy.Retry;
import dev.carillon.postgres.LocalPostgres;
import dev.carillon.target.Handler;
import dev.carillon.target.Outcome;
import dev.carillon.target.Target;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.testing.RecordingTarget;
import dev.carillon.testing.TestClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Runs the code of {@code docs/guide/embedding.md}; another test holds the two together. */
class EmbeddingGuideTest {
  private static final LocalPostgres POSTGRES = LocalPostgres.temporary();
  private static final HikariDataSource POOL = Pool.of(POSTGRES);

  private final TestClock clock = TestClock.at("2026-03-01T00:00:00Z");
  private final HikariDataSource pool = POOL;
  private final RecordingTarget report = new RecordingTarget();
  private final ManualCarillon carillon =
      ManualCarillon.on(pool).clock(clock).target("report", report).start();
  private final Schedules schedules = carillon.schedules();
  private final Runs runs = carillon.runs();

  @AfterEach
  void leaveNothingToDo() {
    schedules.retireAll(ScheduleFilter.all().target("report"));
    carillon.runDue();
    carillon.close();
  }

  @AfterAll
  static void stop() {
    POOL.close();
    POSTGRES.close();
  }

  @Test
  void a_scheduler_is_built_and_closed() {
    Handler send = report;
    Handler resize = report;

    try (Carillon carillon =
        Carillon.builder()
            .dataSource(pool)
            .nodeName("billing-1")
            .target("send-report", send)
            .target("resize-image", resize, 4) // at most four at a time on this node
            .remoteTarget("print-label") // accepted here, run by other nodes
            .build()
            .start()) {
      assertThat(carillon.nodes()).extracting(node -> node.name()).contains("billing-1");
    }
  }

  @Test
  void a_target_may_end_later_than_its_call() {
    Target render =
        (run, done) -> {
          Thread worker =
              new Thread(
                  () -> {
                    if (run.payload().text("page").isEmpty()) {
                      done.accept(
                          Outcome.failedPermanently(
                              Failure.of("no_page", "name a page to render")));
                    } else {
                      done.accept(Outcome.succeeded());
                    }
                  });
          run.onStop(reason -> worker.interrupt());
          worker.start();
        };

    var finished = new Finished();
    try (Carillon carillon =
        Carillon.builder()
            .dataSource(pool)
            .asyncTarget("render", render)
            .listener(finished)
            .build()
            .start()) {
      carillon.runs().enqueue(RunDraft.of("render"));
      assertThat(finished.next().failure().map(Failure::code)).contains("no_page");
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void a_schedule_fires_by_cron_interval_or_once() {
    schedules.upsert(
        ScheduleDraft.named("nightly-report")
            .target("report")
            .cron("0 2 * * 1-5", "Europe/Rome")
            .payload(Map.of("format", "pdf", "to", List.of("finance", "sales")))
            .description("What was sold the day before")
            .tags("finance"));
    schedules.upsert(ScheduleDraft.named("poll").target("report").every(Duration.ofMinutes(5)));
    schedules.upsert(
        ScheduleDraft.named("crawl").target("report").every(Duration.ofMinutes(5)).afterFinish());
    schedules.upsert(
        ScheduleDraft.named("launch").target("report").at(Instant.parse("2026-06-01T09:00:00Z")));
    schedules.upsert(ScheduleDraft.named("reminder").target("report").in(Duration.ofDays(3)));

    assertThat(schedules.get("nightly-report").orElseThrow().nextSlot())
        .contains(Instant.parse("2026-03-02T01:00:00Z"));
    assertThat(schedules.get("poll").orElseThrow().nextSlot())
        .contains(Instant.parse("2026-03-01T00:05:00Z"));
    assertThat(schedules.get("reminder").orElseThrow().nextSlot())
        .contains(Instant.parse("2026-03-04T00:00:00Z"));
  }

  @Test
  void a_schedule_is_looked_at_changed_and_stopped() {
    schedules.create(ScheduleDraft.named("feed").target("report").every(Duration.ofHours(1)));

    List<UpcomingSlot> next = schedules.preview("feed", 5).orElseThrow();
    schedules.patch("feed", draft -> draft.every(Duration.ofMinutes(10)));
    schedules.rollback("feed", 1);
    schedules.as("alice").pause("feed", "the other side moves to a new machine");
    schedules.resume("feed");
    schedules.runNow("feed");
    schedules.retire("feed");

    assertThat(next).hasSize(5);
    assertThat(schedules.versions("feed")).hasSize(3);
    assertThat(schedules.get("feed").orElseThrow().status()).isEqualTo(ScheduleStatus.RETIRED);
    assertThat(runs.ofSchedule("feed")).extracting(Run::trigger).containsExactly(Trigger.MANUAL);
  }

  @Test
  void a_change_can_be_tried_first_and_slots_have_a_fate() {
    schedules.create(ScheduleDraft.named("intake").target("report").every(Duration.ofHours(1)));
    ScheduleDraft draft =
        ScheduleDraft.named("intake").target("report").every(Duration.ofMinutes(90));
    Instant now = clock.instant();

    DryRun dryRun = schedules.dryRun(draft);
    List<SlotOutcome> fires =
        schedules.fires("intake", now, now.plus(Duration.ofDays(1)), 100).orElseThrow();

    assertThat(dryRun.changed()).containsExactly("timing");
    assertThat(dryRun.lost().get(0).slot()).isEqualTo(Instant.parse("2026-03-01T01:00:00Z"));
    assertThat(fires)
        .hasSize(24)
        .allMatch(slotOutcome -> slotOutcome.decision() == SlotOutcome.Fate.WILL_RUN);
  }

  @Test
  void lists_come_in_pages() {
    for (String key : List.of("north", "south", "west")) {
      schedules.create(ScheduleDraft.named(key).target("report").every(Duration.ofHours(1)));
    }
    var found = new ArrayList<Schedule>();

    Optional<String> next = Optional.empty();
    do {
      Page<Schedule> page = schedules.page(ScheduleFilter.all().text("th"), next, 1);
      found.addAll(page.items());
      next = page.next();
    } while (next.isPresent());

    assertThat(found).extracting(Schedule::key).containsExactly("north", "south");
    assertThat(schedules.pauseAll(ScheduleFilter.all().text("th"), "a holiday")).isEqualTo(2);
  }

  @Test
  void targets_come_and_go() {
    TargetRegistry targets = carillon.carillon().targets();

    targets.put("print", (run, done) -> done.accept(Outcome.succeeded()), 4);
    targets.remove("print");

    assertThat(targets.labels()).containsExactly("report");
  }

  @Test
  void a_request_sent_twice_is_one_run_and_some_go_one_at_a_time() {
    RunDraft charge = RunDraft.of("report").overlapKey("customer-17").requestId("order-4711");

    RunId id = runs.enqueue(charge);

    assertThat(runs.enqueue(charge)).isEqualTo(id);
  }

  @Test
  void policies_are_chosen_one_by_one() {
    ScheduleDraft draft = ScheduleDraft.named("sync").target("report").cron("*/5 * * * *");

    ScheduleDraft queued = draft.overlap(Overlap.QUEUE_ONE);

    ScheduleDraft caughtUp = draft.catchUp(CatchUp.all().limit(10).maxAge(Duration.ofHours(6)));

    ScheduleDraft retried = draft.retry(Retry.times(5).backoff(Duration.ofSeconds(10)).factor(3));

    ScheduleDraft guarded = draft.timeout(Duration.ofMinutes(2)).pauseAfterFailures(3);

    ScheduleDraft careful = draft.atMostOnce();

    ScheduleDraft bounded =
        draft
            .from(Instant.parse("2026-04-01T00:00:00Z"))
            .until(Instant.parse("2026-07-01T00:00:00Z"))
            .maxRuns(1_000)
            .jitter(Duration.ofSeconds(30));

    assertThat(
            List.of(queued, caughtUp, retried, guarded, careful, bounded).stream()
                .map(each -> schedules.upsert(each).change()))
        .containsExactly(
            Change.CREATED,
            Change.NEW_VERSION,
            Change.NEW_VERSION,
            Change.NEW_VERSION,
            Change.NEW_VERSION,
            Change.NEW_VERSION);
  }

  @Test
  void past_slots_have_an_answer_and_can_be_made_up_for() {
    schedules.create(ScheduleDraft.named("hourly").target("report").every(Duration.ofHours(1)));
    clock.advance(Duration.ofHours(6).plusMinutes(1));
    carillon.runDue();
    Instant midnight = Instant.parse("2026-03-01T00:00:00Z");

    List<Decision> why = schedules.decisions("hourly", midnight, clock.instant(), 100);
    schedules.backfill("hourly", BackfillDraft.between(midnight, clock.instant()).limit(3));

    assertThat(why)
        .extracting(decision -> decision.droppedSlots().reason())
        .containsExactly(DroppedSlots.Reason.MISSED);
    carillon.runDue();
    assertThat(report.slots()).hasSize(3);
  }

  @Test
  void a_dead_letter_is_dismissed_for_a_reason() {
    report.failing("no paper");
    runs.enqueue(RunDraft.of("report").correlation("order-4711"));
    carillon.runDue();

    DeadLetters old = runs.findDeadLetters(RunFilter.all().correlation("order-4711"));
    if (old.count() == 1) {
      old.dismiss("the order was withdrawn");
    }

    assertThat(runs.findDeadLetters(RunFilter.all().correlation("order-4711")).count()).isZero();
  }

  @Test
  void work_needs_no_schedule() {
    RunId id =
        runs.enqueue(
            RunDraft.of("report")
                .payload("customer", 17)
                .in(Duration.ofMinutes(30))
                .retry(Retry.times(3))
                .correlation("customer-17"));

    runs.cancelAll("customer-17", "the customer has left");

    assertThat(runs.get(id).map(Run::state)).contains(RunState.CANCELED);

    report.failing("no paper");
    RunId failed = runs.enqueue(RunDraft.of("report").payload("pages", 0));
    carillon.runDue();
    report.then(context -> {});

    List<Run> deadLetters = runs.deadLetters(100);
    runs.retry(failed, Payload.of("pages", 2));

    assertThat(deadLetters).extracting(Run::id).contains(failed);
    carillon.runDue();
    assertThat(runs.get(failed).map(Run::state)).contains(RunState.SUCCEEDED);
  }

  @Test
  void events_and_figures_are_passed_on() throws InterruptedException {
    var alarms = new ArrayList<String>();
    Map<String, Long> counters = new ConcurrentHashMap<>();

    Listener alarm =
        event -> {
          if (event instanceof Event.Finished finished && finished.failure().isPresent()) {
            alarms.add(finished.run().target() + ": " + finished.failure().get().message());
          }
        };
    Meter meter =
        new Meter() {
          @Override
          public void count(String name, long by, String... tags) {
            counters.merge(name, by, Long::sum);
          }

          @Override
          public void time(String name, Duration took, String... tags) {
            counters.merge(name + ".nanos", took.toNanos(), Long::sum);
          }
        };

    var finished = new Finished();
    try (Carillon carillon =
        Carillon.builder()
            .dataSource(pool)
            .target("press", new RecordingTarget().failing("out of ink"))
            .listener(alarm)
            .meter(meter)
            .listener(finished)
            .build()
            .start()) {
      carillon.runs().enqueue(RunDraft.of("press"));
      finished.next();
    }
    assertThat(alarms).containsExactly("press: out of ink");
    assertThat(counters).containsEntry("carillon.run.finished", 1L);
  }
}
