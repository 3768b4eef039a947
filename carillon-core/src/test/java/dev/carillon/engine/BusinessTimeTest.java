package dev.carillon.engine;

import static dev.carillon.engine.Minutes.dropped;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.BackfillDraft;
import dev.carillon.BackfillResult;
import dev.carillon.ScheduleDraft;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.model.AuditEntry;
import dev.carillon.model.AuditFilter;
import dev.carillon.model.CalendarDefinition;
import dev.carillon.model.CalendarVersion;
import dev.carillon.model.DeleteResult.Outcome;
import dev.carillon.model.DroppedSlots;
import dev.carillon.model.DroppedSlots.Reason;
import dev.carillon.model.QuietHoursDefinition;
import dev.carillon.model.QuietHoursVersion;
import dev.carillon.model.RunFilter;
import dev.carillon.model.SaveResult;
import dev.carillon.model.UpcomingSlot;
import dev.carillon.policy.CalendarPolicy;
import dev.carillon.policy.CatchUp;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.testing.RecordingTarget;
import dev.carillon.time.InvalidValueException;
import dev.carillon.time.business.BusinessCalendar;
import dev.carillon.time.business.BusinessCalendarBuilder;
import dev.carillon.time.business.Freeze;
import dev.carillon.time.business.QuietAction;
import dev.carillon.time.business.QuietHours;
import dev.carillon.time.business.Roll;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Calendars and quiet hours from the definition to the run. */
@ExtendWith(EmbeddedPostgres.class)
class BusinessTimeTest {
  private static final ZoneId UTC = ZoneId.of("UTC");
  private static final String KEY = "report";

  private final Belfry belfry;
  private final RecordingTarget bell = new RecordingTarget();
  private final ManualCarillon node;
  private final Instant start;

  BusinessTimeTest(DataSource postgres) {
    belfry = new Belfry(postgres);
    node = belfry.node(builder -> builder.target("bell", bell));
    start = belfry.clock().instant();
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  private static BusinessCalendarBuilder bank() {
    return BusinessCalendar.named("bank", UTC);
  }

  private static ScheduleDraft every10Minutes() {
    return ScheduleDraft.named(KEY)
        .target("bell")
        .cron("*/10 * * * *")
        .catchUp(CatchUp.skip().grace(Duration.ofMinutes(1)));
  }

  private static ScheduleDraft daily(Roll roll) {
    return ScheduleDraft.named(KEY)
        .target("bell")
        .cron("0 10 * * *")
        .catchUp(CatchUp.skip().grace(Duration.ofMinutes(1)))
        .calendar(CalendarPolicy.of("bank", roll));
  }

  private QuietHoursDefinition freeze(QuietAction action, Duration from, Duration until) {
    return QuietHoursDefinition.ofEverything(
        new QuietHours(
            "migration",
            UTC,
            List.of(),
            List.of(new Freeze(start.plus(from), start.plus(until), "a migration")),
            action));
  }

  private static Duration minutes(int minutes) {
    return Duration.ofMinutes(minutes);
  }

  private Instant in(int minutes) {
    return start.plus(minutes(minutes));
  }

  private void passUntil(Instant instant) {
    belfry.clock().advanceTo(instant.minusSeconds(90));
    node.pass(Duration.ofSeconds(91));
  }

  @Test
  void what_a_freeze_skips_is_one_decision_and_one_audit_entry() {
    node.carillon().quietHours().save(freeze(QuietAction.SKIP, minutes(5), minutes(35)), "");
    node.schedules().upsert(every10Minutes());

    node.pass(minutes(45));

    assertThat(bell.slots()).containsExactly(in(40));
    assertThat(dropped(node, KEY))
        .containsExactly(
            new DroppedSlots(
                in(10), in(30), 3, Reason.QUIET_HOURS, Optional.of("migration"), Optional.empty()));
    assertThat(audit()).containsOnlyOnce("schedule.skipped");
  }

  @Test
  void what_is_coalesced_is_one_run_at_the_end_that_the_others_name() {
    node.carillon().quietHours().save(freeze(QuietAction.COALESCE, minutes(5), minutes(35)), "");
    node.schedules().upsert(every10Minutes());

    node.pass(minutes(34));
    assertThat(bell.slots()).isEmpty();
    node.pass(minutes(10));

    assertThat(bell.slots()).containsExactly(in(10), in(40));
    assertThat(dropped(node, KEY))
        .containsExactly(
            new DroppedSlots(
                in(20), in(30), 2, Reason.MERGED, Optional.empty(), Optional.of(in(10))));
  }

  @Test
  void thawing_starts_what_waits_and_what_it_stands_for_stays_merged() {
    node.carillon().quietHours().save(freeze(QuietAction.COALESCE, minutes(5), minutes(600)), "");
    node.schedules().upsert(every10Minutes());
    node.pass(minutes(25));
    assertThat(bell.slots()).isEmpty();

    assertThat(node.carillon().quietHours().delete("migration").outcome())
        .isEqualTo(Outcome.DELETED);
    node.pass(minutes(10));

    assertThat(bell.slots()).containsExactly(in(10), in(30));
    assertThat(dropped(node, KEY))
        .containsExactly(
            new DroppedSlots(
                in(20), in(20), 1, Reason.MERGED, Optional.empty(), Optional.of(in(10))));
  }

  @Test
  void freezing_takes_back_what_is_planned_and_not_due() {
    node.schedules().upsert(every10Minutes());
    node.pass(minutes(9).plusSeconds(30));
    assertThat(node.runs().list(RunFilter.bySchedule(KEY))).hasSize(1);

    SaveResult<QuietHoursVersion> change =
        node.carillon().quietHours().save(freeze(QuietAction.SKIP, minutes(9), minutes(15)), "");
    node.pass(minutes(11));

    assertThat(change.replan().runs()).isEqualTo(1);
    assertThat(change.shift().lost()).isEqualTo(1);
    assertThat(bell.slots()).containsExactly(in(20));
    assertThat(dropped(node, KEY))
        .containsExactly(
            new DroppedSlots(
                in(10), in(10), 1, Reason.QUIET_HOURS, Optional.of("migration"), Optional.empty()));
  }

  @Test
  void a_slot_of_the_weekend_runs_on_monday_and_is_not_missed_by_then() {
    node.carillon().calendars().save(bank().build());
    node.schedules().upsert(daily(Roll.FOLLOWING));
    Instant friday = nextFriday();
    node.schedules().upsert(daily(Roll.FOLLOWING).description("from now on"));

    passUntil(friday);
    passUntil(friday.plus(Duration.ofDays(1)));
    passUntil(friday.plus(Duration.ofDays(2)));
    passUntil(friday.plus(Duration.ofDays(3)));

    assertThat(bell.slots())
        .containsSubsequence(friday, friday.plus(Duration.ofDays(1)))
        .doesNotContain(friday.plus(Duration.ofDays(2)), friday.plus(Duration.ofDays(3)));
    assertThat(dropped(node, KEY))
        .contains(
            new DroppedSlots(
                friday.plus(Duration.ofDays(2)),
                friday.plus(Duration.ofDays(3)),
                2,
                Reason.MERGED,
                Optional.empty(),
                Optional.of(friday.plus(Duration.ofDays(1)))));
  }

  @Test
  void a_slot_of_the_weekend_that_runs_on_friday_is_planned_by_then_and_never_again() {
    node.carillon().calendars().save(bank().build());
    node.schedules().upsert(daily(Roll.PRECEDING));
    Instant friday = nextFriday();

    passUntil(friday);
    node.schedules().patch(KEY, draft -> draft.description("edited on friday"));
    belfry.clock().advanceTo(friday.plus(Duration.ofHours(20)));
    node.pass(Duration.ofSeconds(5));
    node.schedules().pause(KEY, "for a while");
    node.schedules().resume(KEY);
    passUntil(friday.plus(Duration.ofDays(1)));
    passUntil(friday.plus(Duration.ofDays(2)));
    passUntil(friday.plus(Duration.ofDays(3)));

    assertThat(bell.slots()).contains(friday, friday.plus(Duration.ofDays(3)));
    assertThat(bell.slots())
        .doesNotContain(friday.plus(Duration.ofDays(1)), friday.plus(Duration.ofDays(2)));
    assertThat(dropped(node, KEY).stream().filter(one -> one.reason() == Reason.MERGED))
        .containsExactly(
            new DroppedSlots(
                friday.plus(Duration.ofDays(1)),
                friday.plus(Duration.ofDays(2)),
                2,
                Reason.MERGED,
                Optional.empty(),
                Optional.of(friday)));
  }

  @Test
  void a_holiday_that_is_added_moves_a_run_that_waits_for_its_due_time() {
    node.carillon().calendars().save(bank().build());
    node.schedules().upsert(daily(Roll.FOLLOWING));
    Instant friday = nextFriday();
    passUntil(friday.plus(Duration.ofDays(1)));
    LocalDate monday = LocalDate.ofInstant(friday.plus(Duration.ofDays(3)), UTC);

    CalendarDefinition feast = CalendarDefinition.of(bank().holiday(monday, "A feast").build());
    SaveResult<CalendarVersion> dry = node.carillon().calendars().dryRun(feast);
    SaveResult<CalendarVersion> change = node.carillon().calendars().save(feast, "");
    passUntil(friday.plus(Duration.ofDays(3)));
    assertThat(bell.slots()).doesNotContain(friday.plus(Duration.ofDays(1)));
    passUntil(friday.plus(Duration.ofDays(4)));

    assertThat(dry.shift()).isEqualTo(change.shift());
    assertThat(change.current().version()).isEqualTo(2);
    assertThat(change.replan().runs()).isEqualTo(1);
    assertThat(bell.slots()).contains(friday.plus(Duration.ofDays(1)));
    assertThat(bell.slots()).doesNotContain(friday.plus(Duration.ofDays(4)));
  }

  @Test
  void the_same_calendar_again_changes_nothing() {
    node.carillon().calendars().save(bank().build());

    assertThat(node.carillon().calendars().save(bank().build()).change())
        .isEqualTo(SaveResult.Change.UNCHANGED);
    assertThat(node.carillon().calendars().versions("bank", Optional.empty(), 10).items())
        .hasSize(1);
    assertThat(node.carillon().calendars().resolve("bank").orElseThrow()).isEqualTo(bank().build());
  }

  @Test
  void what_does_not_exist_is_refused_with_the_field_and_the_cure() {
    assertThatThrownBy(() -> node.schedules().upsert(daily(Roll.SKIP)))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("there is no calendar 'bank'; create it first");
    assertThatThrownBy(() -> node.schedules().upsert(every10Minutes().quietHours("night")))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("there are no quiet hours 'night'; create them first");
  }

  @Test
  void slots_that_are_too_close_to_be_moved_are_refused() {
    node.carillon().calendars().save(bank().build());
    ScheduleDraft dense = ScheduleDraft.named(KEY).target("bell").every(Duration.ofSeconds(1));

    assertThatThrownBy(
            () ->
                node.schedules().upsert(dense.calendar(CalendarPolicy.of("bank", Roll.PRECEDING))))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("more often than once a minute")
        .hasMessageContaining("use roll skip");
    node.schedules().upsert(dense.calendar(CalendarPolicy.of("bank", Roll.SKIP)));
  }

  @Test
  void a_calendar_in_use_cannot_be_deleted_and_says_who_uses_it() {
    node.carillon().calendars().save(bank().build());
    node.schedules().upsert(daily(Roll.SKIP));

    assertThat(node.carillon().calendars().delete("bank").users().firstSchedules())
        .containsExactly(KEY);
    node.schedules().retire(KEY);
    assertThat(node.carillon().calendars().delete("bank").outcome()).isEqualTo(Outcome.DELETED);
    assertThat(node.carillon().calendars().delete("bank").outcome()).isEqualTo(Outcome.UNKNOWN);
  }

  @Test
  void a_preview_shows_due_times_and_leaves_out_what_does_not_run() {
    node.carillon().calendars().save(bank().build());
    node.schedules().upsert(daily(Roll.PRECEDING));

    List<UpcomingSlot> stored = node.schedules().preview(KEY, 10).orElseThrow();
    List<UpcomingSlot> draft = node.schedules().preview(daily(Roll.PRECEDING), 10);

    assertThat(stored).isEqualTo(draft);
    assertThat(stored)
        .allSatisfy(
            one ->
                assertThat(bank().build().isBusinessDay(LocalDate.ofInstant(one.dueAt(), UTC)))
                    .isTrue());
    assertThat(stored).extracting(UpcomingSlot::dueAt).doesNotHaveDuplicates();
  }

  @Test
  void a_backfill_makes_one_run_of_slots_that_are_due_together_and_says_so() {
    node.carillon().calendars().save(bank().build());
    node.schedules().upsert(daily(Roll.FOLLOWING));
    node.schedules().pause(KEY, "for a week");
    Instant friday = nextFriday();
    Instant saturday = friday.plus(Duration.ofDays(1));
    Instant tuesday = friday.plus(Duration.ofDays(4));
    passUntil(tuesday.plus(Duration.ofDays(1)));
    node.schedules().resume(KEY);

    BackfillResult filled =
        node.schedules().backfill(KEY, BackfillDraft.between(friday, tuesday)).orElseThrow();
    BackfillResult rest =
        node.schedules()
            .backfill(KEY, BackfillDraft.between(saturday.plus(Duration.ofDays(1)), tuesday))
            .orElseThrow();

    assertThat(filled.slots()).containsExactly(friday, saturday, tuesday);
    assertThat(filled.why())
        .contains("2 more are part of the run of another slot, with which they are due");
    assertThat(rest.slots()).isEmpty();
  }

  private List<String> audit() {
    return node.schedules().audit(AuditFilter.all(), 100).stream().map(AuditEntry::action).toList();
  }

  private Instant nextFriday() {
    LocalDate date = LocalDate.ofInstant(belfry.clock().instant(), UTC).plusDays(7);
    while (date.getDayOfWeek() != java.time.DayOfWeek.FRIDAY) {
      date = date.plusDays(1);
    }
    return date.atTime(10, 0).toInstant(java.time.ZoneOffset.UTC);
  }
}
