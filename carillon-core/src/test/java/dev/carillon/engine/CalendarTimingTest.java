package dev.carillon.engine;

import static dev.carillon.engine.Minutes.dropped;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.BackfillDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.model.CalendarDefinition;
import dev.carillon.model.ChangeResult;
import dev.carillon.model.DeleteResult.Outcome;
import dev.carillon.model.DroppedSlots.Reason;
import dev.carillon.model.Pause;
import dev.carillon.model.QuietHoursDefinition;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.model.UpcomingSlot;
import dev.carillon.policy.CalendarPolicy;
import dev.carillon.policy.CatchUp;
import dev.carillon.policy.Overlap;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.testing.RecordingTarget;
import dev.carillon.time.InvalidValueException;
import dev.carillon.time.business.BusinessCalendar;
import dev.carillon.time.business.BusinessCalendarBuilder;
import dev.carillon.time.business.BusinessDayOfMonth;
import dev.carillon.time.business.QuietAction;
import dev.carillon.time.business.QuietHours;
import dev.carillon.time.business.QuietWindow;
import dev.carillon.time.business.Roll;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Schedules whose timing is a matter of a calendar. Tests begin on Sunday, 1 March 2026. */
@ExtendWith(EmbeddedPostgres.class)
class CalendarTimingTest {
  private static final ZoneId ROME = ZoneId.of("Europe/Rome");
  private static final LocalTime NINE = LocalTime.of(9, 0);
  private static final String KEY = "report";

  private final Belfry belfry;
  private final List<String> runs = new ArrayList<>();
  private final RecordingTarget bell = new RecordingTarget();
  private final ManualCarillon node;

  CalendarTimingTest(DataSource postgres) {
    belfry = new Belfry(postgres);
    node =
        belfry.node(
            builder ->
                builder
                    .target("bell", bell)
                    .target(
                        "diary",
                        run ->
                            runs.add(
                                local(run.dueAt()).truncatedTo(ChronoUnit.MINUTES).toString())));
  }

  @BeforeEach
  void calendar() {
    node.carillon().calendars().save(italy().build());
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  private static BusinessCalendarBuilder italy() {
    return BusinessCalendar.named("it", ROME)
        .holiday(LocalDate.parse("2026-04-06"), "Easter Monday")
        .weekdayHours("09:00-13:00", "14:00-18:00")
        .halfDay(LocalDate.parse("2026-03-19"), "Saint Joseph", LocalTime.of(12, 0));
  }

  private static ScheduleDraft draft() {
    return draft(KEY);
  }

  private static ScheduleDraft draft(String key) {
    return ScheduleDraft.named(key)
        .target("diary")
        .overlap(Overlap.ALLOW)
        .catchUp(CatchUp.once().grace(Duration.ofHours(12)));
  }

  private static ScheduleDraft third() {
    return draft().businessDayOfMonth(3, NINE, "it");
  }

  private static LocalDateTime local(Instant instant) {
    return LocalDateTime.ofInstant(instant, ROME);
  }

  private static Instant at(String local) {
    return LocalDateTime.parse(local).atZone(ROME).toInstant();
  }

  /* In steps that are shorter than what counts as missed. */
  private void passUntil(String local) {
    Instant end = at(local);
    Instant now = belfry.clock().instant();
    while (now.isBefore(end)) {
      Instant next = now.plus(Duration.ofHours(6));
      belfry.clock().advanceTo(next.isBefore(end) ? next : end);
      node.runDue();
      now = belfry.clock().instant();
    }
  }

  private List<String> previewed(int count) {
    return node.schedules().preview(KEY, count).orElseThrow().stream()
        .map(one -> local(one.dueAt()).toString())
        .toList();
  }

  @Test
  void the_third_and_the_last_business_day_of_a_month_run_at_their_time() {
    node.schedules().upsert(third());
    node.schedules().upsert(draft("last").businessDayOfMonth(-1, NINE, "it"));

    assertThat(previewed(3))
        .containsExactly("2026-03-04T09:00", "2026-04-03T09:00", "2026-05-05T09:00");
    passUntil("2026-04-30T12:00");

    assertThat(runs)
        .containsExactly(
            "2026-03-04T09:00", "2026-03-31T09:00", "2026-04-03T09:00", "2026-04-30T09:00");
    assertThat(dropped(node, KEY)).isEmpty();
  }

  @Test
  void the_zone_of_the_calendar_is_that_of_the_time_unless_one_is_given() {
    node.schedules().upsert(third());

    UpcomingSlot next = node.schedules().preview(KEY, 1).orElseThrow().get(0);

    assertThat(next.slot()).isEqualTo(at("2026-03-01T09:00"));
    assertThat(next.local().toLocalDateTime()).isEqualTo(local(at("2026-03-04T09:00")));
    assertThat(node.schedules().get(KEY).orElseThrow().definition().zone()).isEqualTo(ROME);
    assertThat(node.schedules().upsert(third()).change()).isEqualTo(ChangeResult.Change.UNCHANGED);
  }

  @Test
  void a_schedule_made_after_the_first_of_the_month_runs_in_that_month_if_the_day_is_to_come() {
    passUntil("2026-03-03T08:00");
    node.schedules().upsert(third());
    passUntil("2026-03-04T08:00");
    assertThat(runs).isEmpty();
    passUntil("2026-03-04T10:00");

    assertThat(runs).containsExactly("2026-03-04T09:00");
  }

  @Test
  void a_schedule_made_after_the_day_begins_with_the_next_month() {
    passUntil("2026-03-04T09:30");
    node.schedules().upsert(third());
    node.schedules().upsert(draft("last").businessDayOfMonth(-20, NINE, "it"));
    passUntil("2026-04-03T10:00");

    assertThat(runs).containsExactly("2026-04-02T09:00", "2026-04-03T09:00");
    assertThat(dropped(node, "last")).isEmpty();
  }

  @Test
  void an_edit_between_the_slot_and_the_day_counts_at_once() {
    node.schedules().upsert(third());
    passUntil("2026-03-02T12:00");
    node.schedules().upsert(draft().businessDayOfMonth(5, LocalTime.of(10, 0), "it"));
    passUntil("2026-03-10T00:00");

    assertThat(runs).containsExactly("2026-03-06T10:00");
  }

  @Test
  void a_pause_that_ends_before_the_day_changes_nothing_and_one_over_it_drops_it() {
    node.schedules().upsert(third());
    passUntil("2026-03-02T12:00");
    node.schedules().pause(KEY, "for a while");
    passUntil("2026-03-03T12:00");
    node.schedules().resume(KEY);
    passUntil("2026-03-05T00:00");
    assertThat(runs).containsExactly("2026-03-04T09:00");

    passUntil("2026-04-02T00:00");
    node.schedules().pause(KEY, "for a while");
    passUntil("2026-04-04T00:00");
    node.schedules().resume(KEY);
    passUntil("2026-05-06T00:00");

    assertThat(runs).containsExactly("2026-03-04T09:00", "2026-05-05T09:00");
    assertThat(dropped(node, KEY))
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.first()).isEqualTo(at("2026-04-01T09:00"));
              assertThat(one.reason()).isEqualTo(Reason.PAUSED);
            });
  }

  @Test
  void a_pause_to_come_is_judged_by_the_day() {
    node.schedules().upsert(third());
    node.schedules()
        .pause(
            KEY,
            Pause.because("audit")
                .startingAt(at("2026-03-03T00:00"))
                .endingAt(at("2026-04-02T00:00")));
    assertThat(previewed(1)).containsExactly("2026-04-03T09:00");
    passUntil("2026-04-04T00:00");

    assertThat(runs).containsExactly("2026-04-03T09:00");
  }

  @Test
  void a_window_is_judged_by_the_day() {
    node.schedules().upsert(third().from(at("2026-03-03T00:00")).until(at("2026-05-05T08:59")));
    passUntil("2026-06-10T00:00");

    assertThat(runs).containsExactly("2026-03-04T09:00", "2026-04-03T09:00");
    assertThat(node.schedules().get(KEY).orElseThrow().status()).isEqualTo(ScheduleStatus.RETIRED);
  }

  @Test
  void a_holiday_that_is_added_moves_the_day_and_the_slot_stays() {
    node.schedules().upsert(third().target("bell"));
    passUntil("2026-03-02T12:00");

    var change =
        node.carillon()
            .calendars()
            .save(
                CalendarDefinition.of(
                    italy().holiday(LocalDate.parse("2026-03-03"), "Carnival").build()),
                "");
    assertThat(change.shift().moved()).isEqualTo(1);
    assertThat(change.replan().runs()).isEqualTo(1);
    passUntil("2026-03-04T12:00");
    assertThat(bell.slots()).isEmpty();
    passUntil("2026-03-05T12:00");

    assertThat(bell.slots()).containsExactly(at("2026-03-01T09:00"));
  }

  @Test
  void a_holiday_that_is_added_after_the_run_does_not_run_it_again() {
    node.schedules().upsert(third());
    passUntil("2026-03-04T12:00");
    node.carillon()
        .calendars()
        .save(
            CalendarDefinition.of(
                italy().holiday(LocalDate.parse("2026-03-04"), "Carnival").build()),
            "");
    passUntil("2026-03-20T12:00");

    assertThat(runs).containsExactly("2026-03-04T09:00");
  }

  @Test
  void a_month_without_such_a_day_is_a_decision_of_the_calendar() {
    node.schedules().upsert(draft().businessDayOfMonth(22, NINE, "it"));
    passUntil("2026-06-30T12:00");

    assertThat(runs).containsExactly("2026-03-31T09:00", "2026-06-30T09:00");
    assertThat(dropped(node, KEY))
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.first()).isEqualTo(at("2026-04-01T09:00"));
              assertThat(one.slots()).isEqualTo(2);
              assertThat(one.reason()).isEqualTo(Reason.CALENDAR);
              assertThat(one.by()).contains("it");
            });
  }

  @Test
  void so_many_business_days_after_a_date_run_once_also_when_the_date_has_passed() {
    passUntil("2026-03-04T12:00");
    node.schedules()
        .upsert(draft().businessDaysAfter(5, LocalDate.parse("2026-03-02"), NINE, "it"));
    assertThat(previewed(5)).containsExactly("2026-03-09T09:00");
    node.schedules().patch(KEY, one -> one.description("edited"));
    passUntil("2026-03-20T12:00");

    assertThat(runs).containsExactly("2026-03-09T09:00");
    assertThat(node.schedules().get(KEY).orElseThrow().status()).isEqualTo(ScheduleStatus.RETIRED);
    assertThatThrownBy(
            () ->
                node.schedules()
                    .create(
                        draft("late")
                            .businessDaysAfter(5, LocalDate.parse("2026-03-02"), NINE, "it")))
        .hasMessage(
            "schedule 'late' would never fire: its time, 5 business days after 2026-03-02, was"
                + " 2026-03-09T08:00:00Z; use a later date, or a run without a schedule");
  }

  @Test
  void business_days_before_a_date_are_planned_in_time() {
    node.schedules()
        .upsert(draft().businessDaysAfter(-10, LocalDate.parse("2026-04-07"), NINE, "it"));
    passUntil("2026-04-20T12:00");

    assertThat(runs).containsExactly("2026-03-23T09:00");
  }

  @Test
  void hours_that_open_and_close_run_once_per_business_day() {
    node.schedules().upsert(draft().whenHoursOpen("it", Duration.ofMinutes(-15)));
    node.schedules().upsert(draft("closing").whenHoursClose("it", Duration.ofMinutes(30)));
    passUntil("2026-03-18T00:00");
    runs.clear();
    passUntil("2026-03-23T12:00");

    assertThat(runs)
        .containsExactly(
            "2026-03-18T08:45",
            "2026-03-18T18:30",
            "2026-03-19T08:45",
            "2026-03-19T12:30",
            "2026-03-20T08:45",
            "2026-03-20T18:30",
            "2026-03-23T08:45");
    assertThat(dropped(node, KEY)).allMatch(one -> one.reason() == Reason.CALENDAR).isNotEmpty();
  }

  @Test
  void an_edit_in_the_morning_counts_when_hours_open() {
    node.schedules().upsert(draft().whenHoursOpen("it", Duration.ZERO));
    passUntil("2026-03-02T08:00");
    node.schedules().upsert(draft().whenHoursOpen("it", Duration.ofHours(1)));
    passUntil("2026-03-02T12:00");

    assertThat(runs).containsExactly("2026-03-02T10:00");
  }

  @Test
  void quiet_hours_and_a_calendar_of_the_schedule_move_the_day_further() {
    node.carillon()
        .quietHours()
        .save(
            QuietHoursDefinition.of(
                new QuietHours(
                    "night",
                    ROME,
                    List.of(QuietWindow.daily("20:00-07:00")),
                    List.of(),
                    QuietAction.COALESCE)),
            "");
    node.carillon()
        .calendars()
        .save(
            BusinessCalendar.named("us", ROME)
                .holiday(LocalDate.parse("2026-04-03"), "Good Friday")
                .build());
    LocalTime late = LocalTime.of(22, 0);
    node.schedules().upsert(draft().businessDayOfMonth(5, late, "it").quietHours("night"));
    node.schedules()
        .upsert(
            draft("both")
                .businessDayOfMonth(3, NINE, "it")
                .calendar(CalendarPolicy.of("us", Roll.FOLLOWING)));
    passUntil("2026-04-07T00:00");

    assertThat(runs).containsExactly("2026-03-04T09:00", "2026-03-09T07:00", "2026-04-06T09:00");
  }

  @Test
  void an_outage_over_the_day_is_caught_up_once() {
    node.schedules().upsert(third().catchUp(CatchUp.once()));
    passUntil("2026-03-02T12:00");
    belfry.clock().advanceTo(at("2026-03-04T15:00"));
    node.runDue();
    node.runDue();
    passUntil("2026-03-05T00:00");

    assertThat(runs).hasSize(1);
  }

  @Test
  void a_backfill_is_asked_for_by_the_day() {
    passUntil("2026-03-04T08:00");
    node.schedules().upsert(third());
    node.schedules().pause(KEY, "for a while");
    passUntil("2026-03-10T00:00");
    node.schedules().resume(KEY);
    node.runDue();

    var filled =
        node.schedules()
            .backfill(KEY, BackfillDraft.between(at("2026-03-04T00:00"), at("2026-03-04T23:00")))
            .orElseThrow();

    assertThat(filled.slots()).containsExactly(at("2026-03-01T09:00"));
  }

  @Test
  void a_calendar_that_a_timing_names_cannot_be_deleted() {
    node.schedules().upsert(third());

    assertThat(node.carillon().calendars().delete("it").users().firstSchedules())
        .containsExactly(KEY);
    node.schedules().retire(KEY);
    assertThat(node.carillon().calendars().delete("it").outcome()).isEqualTo(Outcome.DELETED);
  }

  @Test
  void working_hours_stay_while_a_schedule_fires_when_they_open() {
    node.carillon().calendars().save(CalendarDefinition.combining("both", "it"), "");
    node.schedules().upsert(draft().whenHoursOpen("it", Duration.ZERO));
    node.schedules().upsert(draft("closing").whenHoursClose("both", Duration.ZERO));
    BusinessCalendar wholeDays = BusinessCalendar.named("it", ROME).build();

    assertThatThrownBy(() -> node.carillon().calendars().save(wholeDays))
        .hasMessage(
            "schedules fire when the working hours of 'it' open or close: closing, report; leave it"
                + " some hours, or change their timings first")
        .isInstanceOfSatisfying(
            InvalidValueException.class, e -> assertThat(e.field()).contains("hours"));
    assertThatThrownBy(() -> node.carillon().calendars().dryRun(CalendarDefinition.of(wholeDays)))
        .hasMessageContaining("leave it some hours");
    assertThat(node.carillon().calendars().resolve("it").orElseThrow().hasHours()).isTrue();
    node.schedules().retire(KEY);
    node.schedules().retire("closing");
    node.carillon().calendars().save(wholeDays);
  }

  @Test
  void what_cannot_be_meant_is_refused_with_the_field_and_the_cure() {
    refused(
        draft().businessDayOfMonth(3, NINE, "nowhere"),
        "timing/calendar",
        "there is no calendar 'nowhere'; create it first, or use one of: it");
    refused(
        draft().businessDayOfMonth(25, NINE, "it"),
        "timing",
        "would never fire: calendar 'it' leaves out its slot 2026-03-01T08:00:00Z"
            + " (2026-03 has 22 business days), and so on for two years");
    node.carillon().calendars().save(BusinessCalendar.named("days", ROME).build());
    refused(
        draft().whenHoursOpen("days", Duration.ZERO),
        "timing/calendar",
        "calendar 'days' has no working hours, so they never open or close; give it hours");
    assertThatThrownBy(() -> draft().businessDayOfMonth(32, NINE, "it"))
        .hasMessageContaining("from 1 to 31, or from -1, the last, to -31; was 32");
    assertThatThrownBy(() -> draft().whenHoursClose("it", Duration.ofHours(25)))
        .hasMessageContaining("from -1d to 1d, in whole seconds; was PT25H");
    assertThatThrownBy(() -> draft().timing(new BusinessDayOfMonth(italy().build(), 3, NINE)))
        .hasMessageContaining("a schedule names its calendar, 'it'");
  }

  private void refused(ScheduleDraft draft, String field, String message) {
    assertThatThrownBy(() -> node.schedules().upsert(draft))
        .hasMessageContaining(message)
        .isInstanceOfSatisfying(
            InvalidValueException.class, e -> assertThat(e.field()).contains(field));
  }
}
