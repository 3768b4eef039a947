package dev.carillon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.model.Explanation;
import dev.carillon.model.Explanation.Outcome;
import dev.carillon.model.Explanation.Step;
import dev.carillon.model.Explanation.What;
import dev.carillon.model.Pause;
import dev.carillon.model.RunId;
import dev.carillon.model.Scope;
import dev.carillon.policy.CatchUp;
import dev.carillon.policy.Overlap;
import dev.carillon.policy.Retry;
import dev.carillon.testing.ManualCarillon;
import java.time.Duration;
import java.time.Instant;
import java.time.Period;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Why a schedule did, did not, or will or will not run, in words. The clock begins on 1 March. */
@ExtendWith(EmbeddedPostgres.class)
class ExplainTest {
  private final Belfry belfry;
  private final ManualCarillon node;
  private final Schedules ann;
  private final Schedules bob;
  private final Instant start;

  ExplainTest(DataSource postgres) {
    belfry = new Belfry(postgres);
    node =
        belfry.node(
            builder ->
                builder
                    .nodeName("tower")
                    .target(
                        "bell",
                        context -> {
                          if (context.attempt() <= context.payload().number("fails").orElse(0L)) {
                            throw new IllegalStateException("cracked");
                          }
                        })
                    .remoteTarget("far"));
    ann = node.schedules().as("ann");
    bob = node.schedules().as("bob");
    start = belfry.clock().instant();
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  private static ScheduleDraft hourly() {
    return ScheduleDraft.named("hourly").target("bell").every(Duration.ofHours(1));
  }

  private void claim() {
    node.carillon().pullWorkers().claim("lathe", List.of("far"), 1, Duration.ofHours(5));
  }

  private Instant hour(int hours) {
    return start.plus(Duration.ofHours(hours));
  }

  private Explanation explain(Instant at) {
    return ann.explain("hourly", at).orElseThrow();
  }

  /* The ids of runs follow from slot and schedule; in a text they are called RUN. */
  private static String text(Explanation explanation) {
    return explanation.text().replaceAll("[0-9a-f]{8}-[0-9a-f-]{27}", "RUN");
  }

  private void says(Instant at, Outcome outcome, String... sentences) {
    Explanation explanation = explain(at);

    assertThat(text(explanation)).isEqualTo(String.join("\n", sentences));
    assertThat(explanation.outcome()).isEqualTo(outcome);
    assertThat(explanation.at()).isEqualTo(at);
    assertThat(explanation.steps()).noneMatch(step -> step.because().contains("\n"));
  }

  private static final String MADE =
      "Version 1 was in force: ann created the schedule at 2026-03-01 00:00 UTC.";
  private static final String IS_MADE = MADE.replace("was", "is");

  @Test
  void a_node_is_called_by_its_name_also_after_it_has_left() {
    ManualCarillon cellar =
        belfry.node(builder -> builder.nodeName("cellar").target("crypt", context -> {}));
    cellar.schedules().as("ann").create(hourly().target("crypt").every(Duration.ofMinutes(1)));
    belfry.pass(Duration.ofMinutes(1), node, cellar);
    cellar.close();

    assertThat(node.carillon().nodes()).hasSize(1);
    says(
        start.plusSeconds(60),
        Outcome.SUCCEEDED,
        MADE,
        "The timing 'Every minute' names 2026-03-01 00:01 UTC.",
        "Run RUN started at 2026-03-01 00:01 UTC on node cellar and succeeded at 2026-03-01 00:01 UTC.");

    belfry.clock().advance(Duration.ofDays(200));
    belfry.node(builder -> builder.nodeName("attic"));
    assertThat(belfry.psql().rows("select name from carillon.former_node where name = 'cellar'"))
        .isEmpty();
  }

  @Test
  void a_slot_that_ran() {
    ann.create(hourly());
    node.pass(Duration.ofHours(1));

    says(
        hour(1),
        Outcome.SUCCEEDED,
        MADE,
        "The timing 'Every hour' names 2026-03-01 01:00 UTC.",
        "Run RUN started at 2026-03-01 01:00 UTC on node tower and succeeded at 2026-03-01 01:00 UTC.");
    Explanation explanation = explain(hour(1));
    assertThat(explanation.slot()).contains(hour(1));
    assertThat(explanation.dueAt()).contains(hour(1));
    assertThat(explanation.run()).isPresent();
    assertThat(explanation.decision()).isEmpty();
    assertThat(explanation.steps().get(0))
        .isEqualTo(new Step(What.VERSION, MADE, Optional.of("ann"), Optional.of(start)));
  }

  @Test
  void an_instant_between_two_slots() {
    ann.create(hourly());
    node.pass(Duration.ofHours(1));

    says(
        hour(1).plusSeconds(90),
        Outcome.NOT_DUE,
        IS_MADE,
        "The timing 'Every hour' names no slot at 2026-03-01 01:01:30 UTC.",
        "The slot before it was 2026-03-01 01:00 UTC: its run succeeded.",
        "The slot after it is 2026-03-01 02:00 UTC: it will run.");
    assertThat(explain(hour(1).plusSeconds(90)).slot()).isEmpty();
  }

  @Test
  void a_slot_to_come() {
    ann.create(hourly().jitter(Duration.ofSeconds(30)));

    Explanation explanation = explain(hour(1));

    assertThat(explanation.outcome()).isEqualTo(Outcome.WILL_RUN);
    assertThat(text(explanation).replaceAll("0[01]:[05][09]:[0-9.]+", "DUE"))
        .isEqualTo(
            String.join(
                "\n",
                IS_MADE,
                "The timing 'Every hour' names 2026-03-01 01:00 UTC.",
                "Jitter of up to 30s puts its due time at 2026-03-01 DUE UTC.",
                "As things stand, it will run at 2026-03-01 DUE UTC, and be planned at most 1m before.",
                "If an earlier run is unfinished then, it will be skipped, since its overlap rule is skip."));
    assertThat(explanation.dueAt()).isNotEqualTo(explanation.slot());
  }

  @Test
  void a_slot_that_is_planned() {
    ann.create(hourly().overlap(Overlap.QUEUE));
    node.pass(Duration.ofMinutes(59).plusSeconds(30));

    says(
        hour(1),
        Outcome.PENDING,
        IS_MADE,
        "The timing 'Every hour' names 2026-03-01 01:00 UTC.",
        "Run RUN is planned, and due at 2026-03-01 01:00 UTC.",
        "If an earlier run is unfinished then, it will wait for that one to end, since its overlap rule is queue.");
  }

  @Test
  void a_failure_after_retries() {
    ann.create(hourly().payload("fails", 9).retry(Retry.times(2).backoff(Duration.ofSeconds(5))));
    node.pass(Duration.ofHours(1).plusSeconds(30));

    says(
        hour(1),
        Outcome.FAILED,
        MADE,
        "The timing 'Every hour' names 2026-03-01 01:00 UTC.",
        "Attempt 1 started at 2026-03-01 01:00 UTC on node tower and failed at 2026-03-01 01:00 UTC:"
            + " IllegalStateException: cracked.",
        "Attempt 2 of run RUN started at 2026-03-01 01:00:05 UTC on node tower and failed at"
            + " 2026-03-01 01:00:05 UTC: IllegalStateException: cracked.");
  }

  @Test
  void a_run_that_waits_for_its_second_attempt() {
    ann.create(hourly().payload("fails", 1).retry(Retry.times(2).backoff(Duration.ofMinutes(5))));
    node.pass(Duration.ofHours(1));

    says(
        hour(1),
        Outcome.PENDING,
        MADE,
        "The timing 'Every hour' names 2026-03-01 01:00 UTC.",
        "Attempt 1 started at 2026-03-01 01:00 UTC on node tower and failed at 2026-03-01 01:00 UTC:"
            + " IllegalStateException: cracked.",
        "Run RUN is to be tried again at 2026-03-01 01:05 UTC.");
  }

  @Test
  void a_run_that_is_at_work_and_one_that_it_kept_from_starting() {
    ann.create(hourly().target("far"));
    node.pass(Duration.ofHours(1));
    claim();
    node.pass(Duration.ofHours(1));
    claim();

    assertThat(text(explain(hour(1)))).contains("and is at work.");
    says(
        hour(2),
        Outcome.SKIPPED,
        MADE,
        "The timing 'Every hour' names 2026-03-01 02:00 UTC.",
        "Its overlap rule is skip, and when it was due, run RUN was unfinished.",
        "Run RUN was skipped at 2026-03-01 02:00 UTC: run RUN is unfinished.");
  }

  @Test
  void a_run_that_nobody_fetches_and_then_is_canceled() {
    ann.create(hourly().target("far").overlap(Overlap.ALLOW));
    node.pass(Duration.ofMinutes(61));
    says(
        hour(1),
        Outcome.PENDING,
        MADE,
        "The timing 'Every hour' names 2026-03-01 01:00 UTC.",
        "Run RUN has been due since 2026-03-01 01:00 UTC, and waits for a node or worker with room for it.");

    RunId run = explain(hour(1)).run().orElseThrow().id();
    node.runs().cancel(run, "no lathe today");

    says(
        hour(1),
        Outcome.CANCELED,
        MADE,
        "The timing 'Every hour' names 2026-03-01 01:00 UTC.",
        "Run RUN was canceled at 2026-03-01 01:01 UTC before it started: no lathe today.");
  }

  @Test
  void an_outage_that_catch_up_left_out() {
    ann.create(hourly());
    belfry.clock().advance(Duration.ofMinutes(210));

    says(
        hour(2),
        Outcome.WILL_NOT_RUN,
        MADE,
        "The timing 'Every hour' names 2026-03-01 02:00 UTC.",
        "No node ran it in time, and catch-up is skip: missed slots do not run.",
        "As things stand, it will not run.");
    node.runDue();

    says(
        hour(2),
        Outcome.DROPPED,
        MADE,
        "The timing 'Every hour' names 2026-03-01 02:00 UTC.",
        "No node ran it in time, and catch-up is skip: missed slots do not run.",
        "It became no run (missed), as was decided at 2026-03-01 03:30 UTC for all 3 slots from 2026-03-01"
            + " 01:00 UTC to 2026-03-01 03:00 UTC.");
    assertThat(explain(hour(2)).decision()).isPresent();
  }

  @Test
  void an_outage_of_which_one_slot_ran_for_all() {
    ann.create(hourly().catchUp(CatchUp.once()));
    belfry.clock().advance(Duration.ofMinutes(210));
    node.runDue();

    assertThat(text(explain(hour(1))))
        .contains(
            "No node ran it in time, and catch-up is once: the newest of the missed slots runs for all of them.");
    says(
        hour(3),
        Outcome.SUCCEEDED,
        MADE,
        "The timing 'Every hour' names 2026-03-01 03:00 UTC.",
        "No node ran it in time, and catch-up is once: it is due at 2026-03-01 03:30 UTC, for all slots that"
            + " were missed.",
        "Run RUN started at 2026-03-01 03:30 UTC on node tower and succeeded at 2026-03-01 03:30 UTC.");
  }

  @Test
  void an_outage_of_which_the_oldest_slots_were_too_many_or_too_old() {
    ann.create(hourly().catchUp(CatchUp.all().limit(2).maxAge(Duration.ofHours(4))));
    belfry.clock().advance(Duration.ofMinutes(390));
    node.runDue();

    assertThat(text(explain(hour(1))))
        .contains("No node ran it in time, and it was older than the 4h that catch-up goes back.");
    assertThat(text(explain(hour(4))))
        .contains(
            "No node ran it in time, and catch-up is all, for at most 2 missed slots, the newest.");
    assertThat(text(explain(hour(5))))
        .contains(
            "started at 2026-03-01 06:30 UTC on node tower, 1h30m after it was due, and succeeded");
  }

  @Test
  void what_a_change_found_unplanned() {
    ann.create(hourly());
    belfry.clock().advance(Duration.ofMinutes(90));
    bob.upsert(hourly().every(Duration.ofHours(2)));

    says(
        hour(1),
        Outcome.DROPPED,
        MADE,
        "The timing 'Every hour' names 2026-03-01 01:00 UTC.",
        "No node ran it in time until bob changed the schedule at 2026-03-01 01:30 UTC, and a change leaves"
            + " missed slots behind.",
        "It became no run (missed), as was decided at 2026-03-01 01:30 UTC.");
  }

  @Test
  void a_pause_and_who_ended_it() {
    ann.create(hourly());
    node.pass(Duration.ofMinutes(30));
    bob.pause("hourly", "the rope is worn");
    node.pass(Duration.ofHours(1));

    says(
        hour(1),
        Outcome.WILL_NOT_RUN,
        MADE,
        "The timing 'Every hour' names 2026-03-01 01:00 UTC.",
        "bob paused the schedule at 2026-03-01 00:30 UTC: the rope is worn.",
        "It stays paused until somebody resumes it.",
        "As things stand, it will not run.");
    ann.resume("hourly");

    says(
        hour(1),
        Outcome.DROPPED,
        MADE,
        "The timing 'Every hour' names 2026-03-01 01:00 UTC.",
        "bob paused the schedule at 2026-03-01 00:30 UTC: the rope is worn.",
        "ann resumed the schedule at 2026-03-01 01:30 UTC.",
        "It became no run (paused), as was decided at 2026-03-01 01:30 UTC.");
  }

  @Test
  void a_pause_that_was_planned() {
    ann.create(hourly());
    bob.pause(
        "hourly", Pause.because("holidays").startingAt(hour(2)).endingAt(hour(5).plusSeconds(60)));

    assertThat(text(explain(hour(1)))).contains("it will run at 2026-03-01 01:00 UTC");
    says(
        hour(3),
        Outcome.WILL_NOT_RUN,
        IS_MADE,
        "The timing 'Every hour' names 2026-03-01 03:00 UTC.",
        "bob planned a pause at 2026-03-01 00:00 UTC, from 2026-03-01 02:00 UTC, until 2026-03-01 05:01 UTC: holidays.",
        "It stays paused until 2026-03-01 05:01 UTC.",
        "As things stand, it will not run.");
    node.pass(Duration.ofHours(6));

    assertThat(text(explain(hour(3))))
        .contains(
            "bob planned a pause at 2026-03-01 00:00 UTC, from 2026-03-01 02:00 UTC, until 2026-03-01 05:01 UTC: holidays.",
            "carillon resumed the schedule at 2026-03-01 05:01 UTC.");
    assertThat(explain(hour(6)).outcome()).isEqualTo(Outcome.SUCCEEDED);
  }

  @Test
  void a_time_that_the_clocks_skip() {
    ann.create(hourly().cron("30 2 * * *", "Europe/Rome"));
    node.pass(Duration.ofDays(30));
    Instant moved = Instant.parse("2026-03-29T01:00:00Z");
    String jump =
        "The timing 'At 02:30 every day, Europe/Rome' names 02:30; on 29 March 2026 the clocks jumped from 02:00 to 03:00;"
            + " so 03:00 was used, which is 2026-03-29T01:00:00Z.";
    String made =
        "Version 1 was in force: ann created the schedule at 2026-03-01 01:00 in Europe/Rome (2026-03-01T00:00:00Z).";

    says(
        moved,
        Outcome.SUCCEEDED,
        made,
        jump,
        "Run RUN started at 2026-03-29 03:00 in Europe/Rome (2026-03-29T01:00:00Z) on node tower and succeeded at"
            + " 2026-03-29 03:00 in Europe/Rome (2026-03-29T01:00:00Z).");
    says(
        moved.plus(Duration.ofMinutes(30)),
        Outcome.NOT_DUE,
        made,
        jump,
        "The slot before it was 2026-03-29 03:00 in Europe/Rome (2026-03-29T01:00:00Z): its run succeeded.",
        "The slot after it was 2026-03-30 02:30 in Europe/Rome (2026-03-30T00:30:00Z): its run succeeded.");
  }

  @Test
  void a_time_that_comes_twice() {
    ann.create(hourly().cron("30 2 * * *", "Europe/Rome"));
    Instant first = Instant.parse("2026-10-25T00:30:00Z");
    Instant second = Instant.parse("2026-10-25T01:30:00Z");
    String twice =
        "02:30 comes twice on 25 October 2026, as the clocks go back from 03:00 to 02:00; ";

    assertThat(text(explain(first))).contains(twice + "this is the first, the only one to fire.");
    assertThat(text(explain(second)))
        .contains(twice + "only the first fires, at 2026-10-25T00:30:00Z, and this is the second.");
    assertThat(explain(second).outcome()).isEqualTo(Outcome.NOT_DUE);
  }

  @Test
  void before_it_existed_after_it_ended_and_when_it_was_defined_again() {
    belfry.clock().advance(Duration.ofHours(1));
    ann.create(hourly());
    node.pass(Duration.ofHours(1));
    bob.retire("hourly");
    node.pass(Duration.ofHours(2));
    ann.upsert(hourly());
    node.pass(Duration.ofHours(1));

    says(
        hour(1),
        Outcome.NOT_DUE,
        "The schedule did not exist yet: ann created it at 2026-03-01 01:00 UTC.",
        "No slot before it is known.",
        "The slot after it was 2026-03-01 02:00 UTC: its run succeeded.");
    says(
        hour(3),
        Outcome.NOT_DUE,
        "bob retired the schedule at 2026-03-01 02:00 UTC.",
        "ann defined it again as version 2 at 2026-03-01 04:00 UTC.",
        "The slot before it was 2026-03-01 02:00 UTC: its run succeeded.",
        "The slot after it was 2026-03-01 05:00 UTC: its run succeeded.");
    assertThat(explain(hour(5)).outcome()).isEqualTo(Outcome.SUCCEEDED);
  }

  @Test
  void outside_of_its_window() {
    ann.create(hourly().from(hour(2)).until(hour(3)));
    String begins =
        "The window of the schedule begins at 2026-03-01 02:00 UTC, so it has no run before.";

    says(
        hour(1),
        Outcome.WILL_NOT_RUN,
        IS_MADE,
        "The timing 'Every hour' names 2026-03-01 01:00 UTC.",
        begins,
        "As things stand, it will not run.");
    says(
        hour(4),
        Outcome.NOT_DUE,
        IS_MADE,
        "The timing 'Every hour' names 2026-03-01 04:00 UTC.",
        "The window of the schedule ends at 2026-03-01 03:00 UTC, so it has no run after that.",
        "The slot before it is 2026-03-01 03:00 UTC: it will run.",
        "No slot after it is known.");
    node.pass(Duration.ofHours(5));

    says(
        hour(1),
        Outcome.DROPPED,
        MADE,
        "The timing 'Every hour' names 2026-03-01 01:00 UTC.",
        begins.replace("begins", "began"),
        "It became no run (outside_window), as was decided at 2026-03-01 01:59:30 UTC.");
    says(
        hour(5),
        Outcome.NOT_DUE,
        "The schedule was complete at 2026-03-01 03:00 UTC: it had no slot left.",
        "The slot before it was 2026-03-01 03:00 UTC: its run succeeded.",
        "No slot after it is known.");
  }

  @Test
  void the_slot_before_is_found_before_a_pause_to_come_that_is_before_the_window() {
    ann.create(hourly().from(hour(20)));
    bob.pause(
        "hourly", Pause.because("holidays").startingAt(hour(3)).endingAt(hour(8).plusSeconds(60)));

    assertThat(explain(hour(6).plusSeconds(90)).previous())
        .hasValueSatisfying(
            before -> {
              assertThat(before.slot()).isEqualTo(hour(2));
              assertThat(before.reason()).contains("outside_window");
            });
    assertThat(explain(hour(6).plusSeconds(90)).text())
        .contains("The slot before it is 2026-03-01 02:00 UTC: it will not run");
  }

  @Test
  void more_slots_than_runs() {
    ann.create(hourly().maxRuns(2));

    says(
        hour(3),
        Outcome.NOT_DUE,
        IS_MADE,
        "The timing 'Every hour' names 2026-03-01 03:00 UTC.",
        "The schedule has at most 2 runs, and all of them are used by then.",
        "The slot before it is 2026-03-01 02:00 UTC: it will run.",
        "No slot after it is known.");
  }

  @Test
  void the_end_of_a_run_decides_when_the_next_one_is() {
    ann.create(hourly().afterFinish());

    says(
        hour(2),
        Outcome.NOT_DUE,
        IS_MADE,
        "The timing 'Every hour' counts from the end of the run before, and 2026-03-01 02:00 UTC is no slot.",
        "Only the next slot is known: the one after it follows the end of its run.",
        "The slot before it is 2026-03-01 01:00 UTC: it will run.",
        "No slot after it is known.");
    node.pass(Duration.ofHours(1));
    says(
        hour(1),
        Outcome.SUCCEEDED,
        MADE,
        "The timing 'Every hour' counts from the end of the run before, which makes 2026-03-01 01:00 UTC a slot.",
        "Run RUN started at 2026-03-01 01:00 UTC on node tower and succeeded at 2026-03-01 01:00 UTC.");
  }

  @Test
  void every_kind_of_timing_names_its_slots() {
    ann.create(hourly().every(Period.ofMonths(1), ZoneId.of("Europe/Rome")));
    assertThat(text(explain(Instant.parse("2026-03-31T22:00:00Z"))))
        .contains(
            "The timing 'Every month from 1970-01-01T00:00, Europe/Rome' names 2026-04-01 00:00 in Europe/Rome");

    ann.create(ScheduleDraft.named("once").target("bell").at(hour(1)));
    assertThat(ann.explain("once", hour(1)).orElseThrow().text())
        .contains("The timing 'Once at 2026-03-01T01:00:00Z' names 2026-03-01 01:00 UTC.");
    node.pass(Duration.ofHours(2));
    assertThat(ann.explain("once", hour(1)).orElseThrow().outcome()).isEqualTo(Outcome.SUCCEEDED);
    assertThat(ann.explain("once", hour(2)).orElseThrow().text())
        .startsWith("The schedule was complete at 2026-03-01 01:00 UTC: it had no slot left.\n");
  }

  @Test
  void runs_that_were_asked_for() {
    ann.create(hourly());
    belfry.clock().advance(Duration.ofHours(3));
    node.runDue();
    bob.backfill("hourly", BackfillDraft.between(hour(1), hour(1)));
    bob.runNow("hourly");
    node.runDue();

    says(
        hour(1),
        Outcome.SUCCEEDED,
        MADE,
        "The timing 'Every hour' names 2026-03-01 01:00 UTC.",
        "bob asked for it by a backfill.",
        "Run RUN started at 2026-03-01 03:00 UTC on node tower and succeeded at 2026-03-01 03:00 UTC.");
    assertThat(text(explain(hour(3))))
        .contains("bob asked for run RUN at that moment, which succeeded.");
  }

  @Test
  void changes_between_a_slot_and_its_end() {
    ann.create(hourly().target("far"));
    node.pass(Duration.ofHours(1));
    belfry.clock().advance(Duration.ofMinutes(5));
    bob.patch("hourly", draft -> draft.description("other"));
    bob.pause("hourly", "wait");

    assertThat(text(explain(hour(1))))
        .contains(
            "bob made version 2 at 2026-03-01 01:05 UTC.",
            "bob paused the schedule at 2026-03-01 01:05 UTC: wait.");
  }

  @Test
  void history_that_is_deleted() {
    ann.create(hourly());
    node.pass(Duration.ofHours(1));
    belfry.clock().advance(Duration.ofDays(400));
    belfry.psql().execute("delete from carillon.history");
    belfry.psql().execute("delete from carillon.decision");
    node.runDue();
    belfry.psql().execute("delete from carillon.decision");

    Explanation explanation = explain(hour(1));

    assertThat(explanation.outcome()).isEqualTo(Outcome.UNKNOWN);
    assertThat(text(explanation))
        .contains(
            "History is kept for 180d: what was before 2026-10-07 01:00 UTC is deleted, and what became of it not known.");
  }

  @Test
  void far_past_and_far_future() {
    ann.create(hourly().cron("0 0 29 2 *", "Asia/Tokyo"));

    assertThat(explain(Instant.EPOCH).outcome()).isEqualTo(Outcome.NOT_DUE);
    assertThat(explain(Instant.parse("9999-12-31T23:00:00Z")).outcome()).isEqualTo(Outcome.NOT_DUE);
    assertThat(explain(Instant.parse("2096-02-28T15:00:00Z")).outcome())
        .isEqualTo(Outcome.WILL_RUN);
    assertThat(explain(Instant.parse("2100-02-28T15:00:00Z")).outcome()).isEqualTo(Outcome.NOT_DUE);
  }

  @Test
  void what_makes_no_sense_is_refused() {
    assertThat(ann.explain("nobody", start)).isEmpty();
    assertThat(ann.explain("a\0b", start)).isEmpty();
    ann.create(hourly());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ann.explain("hourly", Instant.MAX))
        .withMessageContaining("at must be from 1970 to 9999");
    assertThatIllegalArgumentException().isThrownBy(() -> ann.explain("hourly", Instant.MIN));
  }

  @Test
  void a_scope_hides_what_a_version_said_and_what_its_run_did() {
    ann.create(hourly().payload("fails", 9));
    node.pass(Duration.ofHours(1));
    ann.upsert(hourly().target("far"));
    Schedules limited = ann.within(Scope.of(Map.of("targets", List.of("far"))));

    Explanation explanation = limited.explain("hourly", hour(1)).orElseThrow();

    assertThat(explanation.outcome()).isEqualTo(Outcome.FAILED);
    assertThat(explanation.run()).isEmpty();
    assertThat(explanation.text())
        .contains("What it says is outside of what you may see.")
        .doesNotContain("cracked")
        .doesNotContain("Every hour");
    assertThat(ann.within(Scope.of(Map.of("targets", List.of("bell")))).explain("hourly", hour(1)))
        .isEmpty();
  }

  @Test
  void a_text_of_others_stays_in_its_line() {
    ann.create(hourly());
    bob.pause("hourly", "first\nsecond \u001b[31m line.");

    assertThat(explain(hour(1)).text()).contains("first\\nsecond \\u001b[31m line.\n");
  }
}
