package dev.carillon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.model.CalendarDefinition;
import dev.carillon.model.Explanation;
import dev.carillon.model.Explanation.Outcome;
import dev.carillon.model.Pause;
import dev.carillon.model.QuietHoursDefinition;
import dev.carillon.policy.CatchUp;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.time.business.BusinessCalendar;
import dev.carillon.time.business.QuietAction;
import dev.carillon.time.business.QuietHours;
import dev.carillon.time.business.QuietWindow;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Timings that a calendar decides, in words: of their slots as of the times that these stand for.
 * The clock begins on Sunday 1 March 2026.
 */
@ExtendWith(EmbeddedPostgres.class)
class ExplainBusinessTimingTest {
  private static final ZoneId UTC = ZoneId.of("UTC");
  private static final Instant SLOT = Instant.parse("2026-03-01T18:00:00Z");
  private static final Instant WEDNESDAY = Instant.parse("2026-03-04T18:00:00Z");
  private static final Instant THURSDAY = Instant.parse("2026-03-05T18:00:00Z");

  private final Belfry belfry;
  private final ManualCarillon node;
  private final Schedules ann;
  private final Schedules bob;

  ExplainBusinessTimingTest(DataSource postgres) {
    belfry = new Belfry(postgres);
    node = belfry.node(builder -> builder.nodeName("tower").target("bell", context -> {}));
    ann = node.schedules().as("ann");
    bob = node.schedules().as("bob");
    saveBank("cal");
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  private void saveBank(String by, LocalDate... holidays) {
    var bank = BusinessCalendar.named("bank", UTC).weekdayHours("09:00-17:00");
    for (LocalDate day : holidays) {
      bank.holiday(day, "St. Nobody");
    }
    node.carillon().calendars().as(by).save(CalendarDefinition.of(bank.build()), "the feasts");
  }

  private static ScheduleDraft ledger(int day) {
    return ScheduleDraft.named("ledger")
        .target("bell")
        .businessDayOfMonth(day, LocalTime.of(18, 0), "bank");
  }

  private Explanation explain(Instant at) {
    return ann.explain("ledger", at).orElseThrow();
  }

  private static String text(Explanation explanation) {
    return explanation.text().replaceAll("[0-9a-f]{8}-[0-9a-f-]{27}", "RUN");
  }

  private void passUntil(Instant instant) {
    belfry.clock().advanceTo(instant.minusSeconds(90));
    node.pass(Duration.ofSeconds(91));
  }

  private void at(String instant) {
    belfry.clock().advanceTo(Instant.parse(instant));
    node.runDue();
  }

  @Test
  void the_third_business_day_is_explained_whether_its_time_or_its_slot_is_asked_about() {
    ann.create(ledger(3));
    Explanation coming = explain(WEDNESDAY);
    assertThat(coming.outcome()).isEqualTo(Outcome.WILL_RUN);
    assertThat(coming.at()).isEqualTo(WEDNESDAY);
    assertThat(coming.slot()).contains(SLOT);
    assertThat(coming.dueAt()).contains(WEDNESDAY);

    passUntil(WEDNESDAY);

    assertThat(text(explain(WEDNESDAY)))
        .isEqualTo(
            """
            Version 1 was in force: ann created the schedule at 2026-03-01 00:00 UTC.
            The timing 'On business day 3 of the month at 18:00, calendar bank, UTC' has slot 2026-03-01 18:00 UTC.
            It stands for business day 3 of 2026-03, which is 2026-03-04 18:00 UTC by calendar 'bank'.
            Run RUN started at 2026-03-04 18:00 UTC on node tower and succeeded at 2026-03-04 18:00 UTC.\
            """);
    assertThat(text(explain(SLOT))).isEqualTo(text(explain(WEDNESDAY)));
    assertThat(explain(WEDNESDAY).steps())
        .anyMatch(step -> step.by().filter("cal"::equals).isPresent());
    assertThat(explain(WEDNESDAY.minusSeconds(1)).outcome()).isEqualTo(Outcome.NOT_DUE);
  }

  @Test
  void a_holiday_that_is_added_meanwhile_and_who_added_it() {
    ann.create(ledger(3));
    at("2026-03-03T12:00:00Z");
    saveBank("cleo", LocalDate.parse("2026-03-03"));
    passUntil(THURSDAY);

    Explanation explanation = explain(THURSDAY);

    assertThat(explanation.outcome()).isEqualTo(Outcome.SUCCEEDED);
    assertThat(text(explanation)).contains("which is 2026-03-05 18:00 UTC by calendar 'bank'.");
    assertThat(explanation.steps()).anyMatch(step -> step.by().filter("cleo"::equals).isPresent());
    assertThat(text(explain(WEDNESDAY))).contains("names no slot at 2026-03-04 18:00 UTC.");
  }

  @Test
  void a_pause_on_that_day_names_who_paused_it() {
    ann.create(ledger(3));
    at("2026-03-03T12:00:00Z");
    bob.pause("ledger", "the books are open");
    assertThat(explain(WEDNESDAY).outcome()).isEqualTo(Outcome.WILL_NOT_RUN);
    at("2026-03-05T12:00:00Z");
    ann.resume("ledger");

    Explanation explanation = explain(WEDNESDAY);

    assertThat(explanation.outcome()).isEqualTo(Outcome.DROPPED);
    assertThat(text(explanation))
        .contains(
            "It stands for business day 3 of 2026-03, which is 2026-03-04 18:00 UTC by calendar"
                + " 'bank'.",
            "bob paused the schedule at 2026-03-03 12:00 UTC: the books are open.",
            "ann resumed the schedule at 2026-03-05 12:00 UTC.",
            "It became no run (paused), as was decided at ");
  }

  @Test
  void a_pause_that_ends_before_that_day_lets_it_run() {
    ann.create(ledger(3));
    at("2026-03-02T12:00:00Z");
    bob.pause("ledger", "the books are open", Instant.parse("2026-03-03T12:00:00Z"));
    assertThat(explain(WEDNESDAY).outcome()).isEqualTo(Outcome.WILL_RUN);
    passUntil(WEDNESDAY);

    assertThat(explain(WEDNESDAY).outcome()).isEqualTo(Outcome.SUCCEEDED);
  }

  @Test
  void a_pause_that_begins_after_the_slot_and_before_the_day_holds_it() {
    ann.create(ledger(3));
    ann.pause(
        "ledger",
        Pause.because("why")
            .startingAt(Instant.parse("2026-03-03T12:00:00Z"))
            .endingAt(Instant.parse("2026-03-06T12:00:00Z")));
    assertThat(explain(WEDNESDAY).outcome()).isEqualTo(Outcome.WILL_NOT_RUN);
    passUntil(Instant.parse("2026-03-06T12:01:00Z"));

    assertThat(explain(WEDNESDAY).outcome()).isEqualTo(Outcome.DROPPED);
    assertThat(text(explain(WEDNESDAY))).contains("ann planned a pause at 2026-03-01 00:00 UTC");
  }

  @Test
  void a_last_business_day_that_a_schedule_is_too_late_for() {
    at("2026-05-30T12:00:00Z");
    ann.create(ledger(-1));
    Instant slot = Instant.parse("2026-05-31T18:00:00Z");

    for (Explanation explanation : List.of(explain(slot), explainAfter(slot, Duration.ofDays(3)))) {
      assertThat(explanation.outcome()).isEqualTo(Outcome.NOT_DUE);
      assertThat(text(explanation))
          .contains(
              "It stands for the last business day of 2026-05, which is 2026-05-29 18:00 UTC by"
                  + " calendar 'bank', before this version was made.");
    }
    assertThat(explain(Instant.parse("2026-06-30T18:00:00Z")).outcome())
        .isEqualTo(Outcome.WILL_RUN);
  }

  private Explanation explainAfter(Instant slot, Duration later) {
    belfry.clock().advanceTo(slot.plus(later));
    node.runDue();
    return explain(slot);
  }

  @Test
  void a_schedule_made_between_the_first_of_the_month_and_the_third_business_day() {
    at("2026-03-03T12:00:00Z");
    ann.create(ledger(3));
    assertThat(explain(WEDNESDAY).outcome()).isIn(Outcome.WILL_RUN, Outcome.PENDING);
    passUntil(WEDNESDAY);

    assertThat(explain(WEDNESDAY).outcome()).isEqualTo(Outcome.SUCCEEDED);
    assertThat(text(explain(WEDNESDAY)))
        .startsWith("Version 1 was in force: ann created the schedule at 2026-03-03 12:00 UTC.\n");
    assertThat(explain(Instant.parse("2026-02-01T18:00:00Z")).outcome()).isEqualTo(Outcome.NOT_DUE);
  }

  @Test
  void opening_hours_and_a_day_without_any() {
    ann.create(
        ScheduleDraft.named("ledger")
            .target("bell")
            .whenHoursOpen("bank", Duration.ofMinutes(-15)));
    Instant monday = Instant.parse("2026-03-02T08:45:00Z");
    passUntil(monday);

    assertThat(text(explain(monday)))
        .contains(
            "The timing '15m before working hours open, calendar bank, UTC' has slot 2026-03-02"
                + " 00:00 UTC.",
            "It stands for 15m before the opening of 2026-03-02, which is 2026-03-02 08:45 UTC by"
                + " calendar 'bank'.");
    assertThat(explain(monday).outcome()).isEqualTo(Outcome.SUCCEEDED);
    assertThat(text(explain(Instant.parse("2026-03-07T00:00:00Z"))))
        .contains(
            "Saturday is no business day in calendar 'bank'; so it stands for no time, and becomes"
                + " no run.");
  }

  @Test
  void a_time_at_which_hours_would_open_on_a_day_without_any_says_what_day_it_is() {
    saveBank("cleo", LocalDate.parse("2026-03-04"));
    ann.create(
        ScheduleDraft.named("ledger")
            .target("bell")
            .whenHoursOpen("bank", Duration.ofMinutes(-15)));
    Instant feast = Instant.parse("2026-03-04T08:45:00Z");

    assertThat(text(explain(feast)))
        .contains(
            "2026-03-04 is St. Nobody in calendar 'bank'; so the slot of that day stands for no"
                + " time, and becomes no run.",
            "The slot before it is 2026-03-04 00:00 UTC: it will not run: calendar 'bank' leaves it"
                + " out.");
    passUntil(THURSDAY);

    assertThat(explain(feast).outcome()).isEqualTo(Outcome.NOT_DUE);
    assertThat(text(explain(feast)))
        .contains(
            "2026-03-04 is St. Nobody in calendar 'bank'; so the slot of that day",
            "The slot before it was 2026-03-04 00:00 UTC: it became no run: calendar 'bank' leaves it out.");
    assertThat(text(explain(Instant.parse("2026-03-05T08:00:00Z")))).doesNotContain("no time");
  }

  @Test
  void a_schedule_that_was_retired_before_the_day_that_its_slot_stands_for() {
    ann.create(ledger(3));
    at("2026-03-03T12:00:00Z");
    bob.retire("ledger");
    at("2026-03-06T12:00:00Z");

    for (Instant asked : List.of(SLOT, WEDNESDAY)) {
      assertThat(explain(asked).outcome()).isEqualTo(Outcome.NOT_DUE);
      assertThat(text(explain(asked)))
          .contains("bob retired the schedule at 2026-03-03 12:00 UTC.")
          .doesNotContain("Nothing is recorded");
    }
    assertThat(text(explain(SLOT)))
        .contains(
            "which is 2026-03-04 18:00 UTC by calendar 'bank', after this version had ended.");
  }

  @Test
  void what_an_earlier_version_decided_stays_when_the_calendar_of_a_later_one_changes() {
    node.carillon()
        .quietHours()
        .save(
            QuietHoursDefinition.ofEverything(
                new QuietHours(
                    "lunch",
                    UTC,
                    List.of(QuietWindow.daily("12:00-13:00")),
                    List.of(),
                    QuietAction.SKIP)),
            "");
    ann.create(ScheduleDraft.named("ledger").target("bell").every(Duration.ofMinutes(30)));
    passUntil(Instant.parse("2026-03-03T12:00:00Z"));
    at("2026-03-03T14:00:10Z");
    Instant noon = Instant.parse("2026-03-03T12:00:00Z");
    assertThat(explain(noon).outcome()).isEqualTo(Outcome.DROPPED);

    ann.upsert(
        ScheduleDraft.named("ledger").target("bell").whenHoursClose("bank", Duration.ofHours(4)));
    saveBank("cleo", LocalDate.parse("2026-03-04"));
    node.runDue();

    for (Instant slot : List.of(noon, noon.plus(Duration.ofMinutes(30)))) {
      assertThat(explain(slot).outcome()).isEqualTo(Outcome.DROPPED);
      assertThat(text(explain(slot))).contains("Quiet hours 'lunch' leave it out");
    }
  }

  @Test
  void what_a_calendar_moves_is_not_said_to_be_planned_shortly_before() {
    ann.create(ledger(3));

    assertThat(text(explain(WEDNESDAY)))
        .contains("As things stand, it will run at 2026-03-04 18:00 UTC.\n");
  }

  @Test
  void days_after_a_date_and_quiet_hours_that_put_them_off() {
    node.carillon()
        .quietHours()
        .as("quin")
        .save(
            QuietHoursDefinition.of(
                new QuietHours(
                    "evening",
                    UTC,
                    List.of(QuietWindow.daily("17:00-07:00")),
                    List.of(),
                    QuietAction.DEFER)),
            "");
    ann.create(
        ScheduleDraft.named("ledger")
            .target("bell")
            .businessDaysAfter(4, LocalDate.parse("2026-03-02"), LocalTime.of(18, 0), "bank")
            .quietHours("evening"));
    Instant friday = Instant.parse("2026-03-06T18:00:00Z");
    Instant morning = Instant.parse("2026-03-09T07:00:00Z");
    assertThat(explain(friday).outcome()).isEqualTo(Outcome.WILL_RUN);
    belfry.clock().advanceTo(morning.minusSeconds(90));
    node.pass(Duration.ofSeconds(95));

    assertThat(text(explain(friday)))
        .contains(
            "It stands for 4 business days after 2026-03-02, which is 2026-03-06 18:00 UTC by"
                + " calendar 'bank'.",
            "Quiet hours 'evening' defer it to 2026-03-07 07:00:00.003 UTC: 17:00-07:00 is quiet.",
            "Saturday is no business day in calendar 'bank'; so it goes on to 2026-03-09"
                + " 07:00:00.003 UTC.");
    assertThat(explain(friday).outcome()).isEqualTo(Outcome.SUCCEEDED);
    assertThat(explain(morning).dueThen()).hasSize(1);
  }

  @Test
  void missed_in_an_outage_with_who_was_to_run_it() {
    ann.create(ledger(3).catchUp(CatchUp.skip()));
    node.runDue();
    belfry.clock().advanceTo(THURSDAY);
    node.runDue();

    assertThat(explain(WEDNESDAY).outcome()).isIn(Outcome.DROPPED, Outcome.SKIPPED);
    assertThat(text(explain(WEDNESDAY))).contains("o node ran it in time");
  }
}
