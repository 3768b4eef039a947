package dev.carillon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.model.CalendarDefinition;
import dev.carillon.model.Explanation;
import dev.carillon.model.Explanation.Outcome;
import dev.carillon.model.QuietHoursDefinition;
import dev.carillon.model.SlotOutcome;
import dev.carillon.policy.CalendarPolicy;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.time.Due;
import dev.carillon.time.business.BusinessCalendar;
import dev.carillon.time.business.QuietAction;
import dev.carillon.time.business.QuietHours;
import dev.carillon.time.business.QuietWindow;
import dev.carillon.time.business.Roll;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What calendars and quiet hours did to slots, in words. The clock begins on Sunday 1 March 2026.
 */
@ExtendWith(EmbeddedPostgres.class)
class ExplainBusinessTimeTest {
  private static final ZoneId UTC = ZoneId.of("UTC");
  private static final Instant SUNDAY = Instant.parse("2026-03-01T10:00:00Z");
  private static final Instant MONDAY = Instant.parse("2026-03-02T10:00:00Z");
  private static final Instant TUESDAY = Instant.parse("2026-03-03T10:00:00Z");

  private final Belfry belfry;
  private final ManualCarillon node;
  private final Schedules ann;

  ExplainBusinessTimeTest(DataSource postgres) {
    belfry = new Belfry(postgres);
    node = belfry.node(builder -> builder.nodeName("tower").target("bell", context -> {}));
    ann = node.schedules().as("ann");
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  private void saveBank(String by, LocalDate... holidays) {
    var bank = BusinessCalendar.named("bank", UTC);
    for (LocalDate day : holidays) {
      bank.holiday(day, "St. Nobody");
    }
    node.carillon()
        .calendars()
        .as(by)
        .save(CalendarDefinition.of(bank.build()), "the year's feasts");
  }

  private static QuietHoursDefinition night(QuietAction action) {
    return QuietHoursDefinition.of(
        new QuietHours("night", UTC, List.of(QuietWindow.daily("09:30-11:00")), List.of(), action));
  }

  private static ScheduleDraft daily() {
    return ScheduleDraft.named("daily").target("bell").cron("0 10 * * *");
  }

  private Explanation explain(Instant at) {
    return ann.explain("daily", at).orElseThrow();
  }

  private static String text(Explanation explanation) {
    return explanation.text().replaceAll("[0-9a-f]{8}-[0-9a-f-]{27}", "RUN");
  }

  private void passUntil(Instant instant) {
    belfry.clock().advanceTo(instant.minusSeconds(90));
    node.pass(Duration.ofSeconds(91));
  }

  @Test
  void a_slot_that_was_rolled_and_the_one_that_is_part_of_its_run() {
    saveBank("cal", LocalDate.parse("2026-03-02"));
    ann.create(daily().calendar(CalendarPolicy.of("bank", Roll.FOLLOWING)));
    assertThat(text(explain(SUNDAY)))
        .contains(
            "Sunday is no business day in calendar 'bank'; roll following moves it to 2026-03-03 10:00 UTC.",
            "As things stand, it will run at 2026-03-03 10:00 UTC");
    assertThat(explain(MONDAY).outcome()).isEqualTo(Outcome.WILL_NOT_RUN);

    passUntil(TUESDAY);

    assertThat(text(explain(SUNDAY)))
        .isEqualTo(
            """
            Version 1 was in force: ann created the schedule at 2026-03-01 00:00 UTC.
            The timing 'At 10:00 every day, UTC' names 2026-03-01 10:00 UTC.
            Sunday is no business day in calendar 'bank'; roll following moves it to 2026-03-03 10:00 UTC.
            Run RUN started at 2026-03-03 10:00 UTC on node tower and succeeded at 2026-03-03 10:00 UTC.\
            """);
    assertThat(explain(SUNDAY).moves())
        .containsExactly(
            new Due.Move(TUESDAY, Due.Policy.CALENDAR, "bank", "Sunday is no business day"));
    assertThat(explain(SUNDAY).steps())
        .anyMatch(step -> step.by().filter("cal"::equals).isPresent());
    assertThat(text(explain(MONDAY)))
        .contains(
            "2026-03-02 is St. Nobody in calendar 'bank'; roll following moves it to 2026-03-03 10:00 UTC.",
            "Two slots that are due at the same time are one run: it is merged into the run of slot"
                + " 2026-03-01 10:00 UTC, which succeeded.");
    assertThat(explain(MONDAY).decision().orElseThrow().droppedSlots().mergedInto())
        .contains(SUNDAY);
  }

  @Test
  void an_instant_that_a_slot_was_moved_to() {
    saveBank("cal");
    ann.create(daily().cron("0 10 * * SUN").calendar(CalendarPolicy.of("bank", Roll.FOLLOWING)));
    assertThat(text(explain(MONDAY)))
        .contains("The run of slot 2026-03-01 10:00 UTC is due then: Sunday is no business day");

    passUntil(MONDAY);

    Explanation monday = explain(MONDAY);
    assertThat(monday.outcome()).isEqualTo(Outcome.NOT_DUE);
    assertThat(text(monday))
        .contains(
            "The timing 'At 10:00 on Sunday, UTC' names no slot at 2026-03-02 10:00 UTC.",
            "The run of slot 2026-03-01 10:00 UTC was due then: Sunday is no business day in calendar"
                + " 'bank'; roll following moves it to 2026-03-02 10:00 UTC.");
    assertThat(monday.dueThen()).extracting(SlotOutcome::slot).containsExactly(SUNDAY);
  }

  @Test
  void slots_that_a_calendar_and_quiet_hours_left_out() {
    saveBank("cal");
    node.carillon().quietHours().as("quin").save(night(QuietAction.SKIP), "");
    ann.create(
        daily()
            .cron("0 10,12 * * *")
            .calendar(CalendarPolicy.of("bank", Roll.SKIP))
            .quietHours("night"));
    passUntil(SUNDAY.plusSeconds(60));
    passUntil(MONDAY);

    assertThat(text(explain(SUNDAY)))
        .contains(
            "Sunday is no business day in calendar 'bank'; roll skip leaves it out.",
            "It became no run (calendar), as was decided at ");
    assertThat(explain(SUNDAY).outcome()).isEqualTo(Outcome.DROPPED);
    assertThat(text(explain(MONDAY)))
        .contains("Quiet hours 'night' leave it out: 09:30-11:00 is quiet.");
    assertThat(text(explain(TUESDAY)))
        .contains(
            "Quiet hours 'night' leave it out: 09:30-11:00 is quiet.",
            "As things stand, it will not run.");
  }

  @Test
  void a_calendar_that_was_edited_meanwhile_and_a_freeze() {
    saveBank("cal");
    ann.create(daily().calendar(CalendarPolicy.of("bank", Roll.FOLLOWING)));
    passUntil(SUNDAY.plusSeconds(60));
    saveBank("cleo", LocalDate.parse("2026-03-02"));
    belfry.clock().advanceTo(TUESDAY.minusSeconds(7_200));
    node.runDue();
    node.carillon()
        .quietHours()
        .as("fred")
        .freeze(FreezeDraft.until(TUESDAY.plusSeconds(3_600), "a migration"));
    passUntil(TUESDAY.plusSeconds(3_600));

    assertThat(text(explain(SUNDAY)))
        .contains(
            "Sunday is no business day in calendar 'bank'; roll following moves it to 2026-03-03 10:00 UTC.",
            "Quiet hours 'freeze' defer it to 2026-03-03 11:00 UTC: frozen until 2026-03-03T11:00:00Z:"
                + " a migration.");
    assertThat(explain(SUNDAY).outcome()).isEqualTo(Outcome.SUCCEEDED);
    assertThat(explain(SUNDAY).steps())
        .anyMatch(step -> step.by().filter("cleo"::equals).isPresent());
    assertThat(explain(SUNDAY).steps())
        .anyMatch(step -> step.by().filter("fred"::equals).isPresent());
    assertThat(explain(SUNDAY).dueAt()).contains(TUESDAY.plusSeconds(3_600));
  }

  @Test
  void quiet_hours_of_everything_that_were_deleted_and_saved_again() {
    QuietHours hours = night(QuietAction.SKIP).hours();
    ann.create(daily());
    node.carillon().quietHours().as("quin").save(QuietHoursDefinition.ofEverything(hours), "");
    passUntil(SUNDAY.plusSeconds(60));
    node.carillon().quietHours().as("dora").delete("night");
    passUntil(MONDAY);
    node.carillon().quietHours().as("quin").save(QuietHoursDefinition.ofEverything(hours), "");
    passUntil(TUESDAY);

    assertThat(text(explain(SUNDAY))).contains("Quiet hours 'night' leave it out");
    assertThat(text(explain(MONDAY))).doesNotContain("uiet hours 'night' leave");
    assertThat(explain(MONDAY).outcome()).isEqualTo(Outcome.SUCCEEDED);
    assertThat(text(explain(TUESDAY))).contains("Quiet hours 'night' leave it out");
    assertThat(text(explain(SUNDAY.plusSeconds(1))))
        .contains("dora deleted quiet hours 'night' at 2026-03-01 10:01:01 UTC.");
  }
}
