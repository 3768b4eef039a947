package dev.carillon.time.business;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.time.Due;
import dev.carillon.time.DueRule;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class QuietHoursTest {
  private static final ZoneId ROME = ZoneId.of("Europe/Rome");
  private static final Instant EVENING = Instant.parse("2027-04-12T20:30:00Z"); // 22:30
  private static final Instant MORNING = Instant.parse("2027-04-13T05:00:00Z"); // 07:00

  private static QuietHours night(QuietAction action, Freeze... freezes) {
    return new QuietHours(
        "night", ROME, List.of(QuietWindow.daily("22:00-07:00")), List.of(freezes), action);
  }

  private static Due due(QuietHours hours, Instant slot) {
    return new QuietHoursRule(List.of(hours)).due(slot);
  }

  private static Instant dueAt(DueRule rule, Instant slot) {
    return ((Due.At) rule.due(slot)).at();
  }

  @Test
  void a_slot_at_night_is_skipped_deferred_or_coalesced() {
    assertThat(due(night(QuietAction.SKIP), EVENING))
        .isEqualTo(new Due.Dropped(Due.Policy.QUIET_HOURS, "night", "22:00-07:00 is quiet"));
    assertThat(due(night(QuietAction.COALESCE), EVENING))
        .isEqualTo(
            Due.moved(
                Due.at(EVENING),
                new Due.Move(MORNING, Due.Policy.QUIET_HOURS, "night", "22:00-07:00 is quiet")));
    assertThat(dueAt(new QuietHoursRule(List.of(night(QuietAction.DEFER))), EVENING))
        .isEqualTo(MORNING.plusNanos(1_800_000)); // half an hour of seconds, as microseconds
    assertThat(due(night(QuietAction.SKIP), MORNING)).isEqualTo(Due.at(MORNING));
  }

  @Test
  void deferred_runs_stay_apart_to_the_second() {
    var rule = new QuietHoursRule(List.of(night(QuietAction.DEFER)));
    Instant start = Instant.parse("2027-04-12T20:00:00Z");
    Instant last = Instant.MIN;
    for (int second = 0; second < 9 * 3_600; second++) {
      Instant due = dueAt(rule, start.plusSeconds(second));
      assertThat(due).isAfter(last);
      last = due;
    }
    assertThat(last).isBefore(MORNING.plusSeconds(1));
  }

  @Test
  void what_adjoins_or_overlaps_is_one_period() {
    var maintenance = new Freeze(MORNING, MORNING.plus(Duration.ofHours(2)), "maintenance");
    var overlapping =
        new Freeze(
            MORNING.plus(Duration.ofHours(1)), MORNING.plus(Duration.ofHours(3)), "more of it");

    assertThat(night(QuietAction.DEFER, maintenance, overlapping).covering(EVENING))
        .contains(
            new QuietPeriod(
                Instant.parse("2027-04-12T20:00:00Z"),
                MORNING.plus(Duration.ofHours(3)),
                "22:00-07:00 is quiet"));
    assertThat(night(QuietAction.DEFER, maintenance).covering(MORNING))
        .hasValueSatisfying(
            period ->
                assertThat(period.reason())
                    .isEqualTo("frozen until 2027-04-13T07:00:00Z: maintenance"));
  }

  @Test
  void a_weekend_is_one_period() {
    var hours =
        new QuietHours(
            "weekend",
            ROME,
            List.of(
                new QuietWindow(Set.of(DayOfWeek.SATURDAY, DayOfWeek.SUNDAY), HourSpan.DAY),
                new QuietWindow(Set.of(DayOfWeek.FRIDAY), HourSpan.of("18:00", "24:00"))),
            List.of(),
            QuietAction.COALESCE);

    assertThat(hours.covering(Instant.parse("2027-03-27T12:00:00Z")))
        .contains(
            new QuietPeriod(
                Instant.parse("2027-03-26T17:00:00Z"),
                Instant.parse("2027-03-28T22:00:00Z"), // an hour less by the clock change
                "00:00-24:00 is quiet"));
    assertThat(new QuietHoursRule(List.of(hours)).maxDelay())
        .isBetween(Duration.ofHours(54), Duration.ofHours(56));
  }

  @Test
  void the_strictest_of_several_decides_and_a_run_waits_for_all() {
    var noon =
        new QuietHours(
            "noon", ROME, List.of(QuietWindow.daily("06:00-08:00")), List.of(), QuietAction.SKIP);
    var rule = new QuietHoursRule(List.of(night(QuietAction.COALESCE), noon));

    assertThat(dueAt(rule, EVENING)).isEqualTo(MORNING.plus(Duration.ofHours(1)));
    assertThat(rule.due(MORNING.minusSeconds(60)))
        .isEqualTo(new Due.Dropped(Due.Policy.QUIET_HOURS, "noon", "06:00-08:00 is quiet"));
  }

  @Test
  void quiet_hours_that_are_always_quiet_together_drop_the_slot() {
    var day =
        new QuietHours(
            "day", ROME, List.of(QuietWindow.daily("07:00-22:00")), List.of(), QuietAction.DEFER);

    assertThat(new QuietHoursRule(List.of(night(QuietAction.DEFER), day)).due(EVENING))
        .isEqualTo(
            new Due.Dropped(
                Due.Policy.QUIET_HOURS,
                "night",
                "22:00-07:00 is quiet, and there is no end to it"));
  }

  @Test
  void a_short_break_has_room_for_what_was_deferred_before() {
    Instant start = Instant.parse("2027-04-01T00:00:00Z");
    Instant end = start.plus(Duration.ofDays(100));
    var hours =
        new QuietHours(
            "long",
            ROME,
            List.of(),
            List.of(
                new Freeze(start, end, "first"),
                new Freeze(end.plusSeconds(1), end.plusSeconds(100), "second")),
            QuietAction.DEFER);
    var rule = new QuietHoursRule(List.of(hours));

    assertThat(dueAt(rule, start)).isEqualTo(end);
    assertThat(dueAt(rule, end.minusSeconds(1)))
        .isAfter(dueAt(rule, end.minusSeconds(3_600)))
        .isBefore(end.plusSeconds(1));
  }

  @Test
  void past_freezes_can_be_left_out() {
    var past = new Freeze(EVENING.minusSeconds(60), EVENING, "past");

    assertThat(night(QuietAction.SKIP, past).since(EVENING)).isEqualTo(night(QuietAction.SKIP));
    assertThat(night(QuietAction.SKIP, past).since(EVENING.minusSeconds(1)).freezes())
        .containsExactly(past);
  }

  @Test
  void a_run_that_quiet_hours_put_off_waits_for_business_time_too() {
    BusinessCalendar office =
        BusinessCalendar.named("office", ROME).weekdayHours("09:00-17:00").build();
    var friday = Instant.parse("2027-04-09T14:00:00Z");
    var release =
        new QuietHours(
            "release",
            ROME,
            List.of(
                new QuietWindow(
                    EnumSet.of(DayOfWeek.FRIDAY, DayOfWeek.MONDAY), HourSpan.of("15:00", "10:00"))),
            List.of(),
            QuietAction.COALESCE);
    CalendarRule calendar =
        CalendarRule.of(office, Roll.FOLLOWING).withOutsideHours(OutsideHours.DEFER);

    assertThat(DueRules.of(Optional.of(calendar), List.of(release)).due(friday))
        .isInstanceOfSatisfying(
            Due.At.class,
            due -> {
              assertThat(due.at()).isEqualTo(Instant.parse("2027-04-12T08:00:00Z"));
              assertThat(due.moves())
                  .extracting(Due.Move::because)
                  .containsExactly("15:00-10:00 is quiet", "Saturday is no business day");
            });
    assertThat(
            DueRules.of(Optional.of(CalendarRule.of(office, Roll.SKIP)), List.of(release))
                .due(friday))
        .isInstanceOf(Due.Dropped.class);
  }

  @Test
  void offsets_are_added_once() {
    BusinessCalendar calendar =
        BusinessCalendar.named("it", ROME)
            .holiday(LocalDate.parse("2027-04-14"), "a holiday")
            .build();
    CalendarRule twoDays = CalendarRule.of(calendar, Roll.PRECEDING).withOffset(1);
    QuietHours tuesday =
        new QuietHours(
            "tuesday",
            ROME,
            List.of(new QuietWindow(Set.of(DayOfWeek.TUESDAY), HourSpan.DAY)),
            List.of(),
            QuietAction.COALESCE);
    Instant monday = Instant.parse("2027-04-12T08:00:00Z");

    assertThat(dueAt(DueRules.of(Optional.of(twoDays), List.of(tuesday)), monday))
        .isEqualTo(Instant.parse("2027-04-14T22:00:00Z")); // past Tuesday and the holiday
  }

  @Test
  void a_business_time_that_is_always_quiet_drops_the_slot() {
    BusinessCalendar mondays =
        BusinessCalendar.named("mondays", ROME)
            .weekend(EnumSet.complementOf(EnumSet.of(DayOfWeek.MONDAY)))
            .build();
    QuietHours monday =
        new QuietHours(
            "monday",
            ROME,
            List.of(new QuietWindow(Set.of(DayOfWeek.MONDAY), HourSpan.DAY)),
            List.of(),
            QuietAction.DEFER);

    Due due =
        DueRules.of(Optional.of(CalendarRule.of(mondays, Roll.FOLLOWING)), List.of(monday))
            .due(EVENING);

    assertThat(due)
        .isInstanceOfSatisfying(
            Due.Dropped.class,
            dropped ->
                assertThat(dropped.because())
                    .startsWith("calendar mondays has no business time outside of quiet hours by"));
  }

  @Test
  void without_rules_a_slot_is_due_at_once() {
    assertThat(DueRules.of(Optional.empty(), List.of())).isSameAs(DueRule.NONE);
  }
}
