package dev.carillon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.carillon.model.CalendarDefinition;
import dev.carillon.model.DroppedSlots;
import dev.carillon.model.Pause;
import dev.carillon.model.QuietHoursDefinition;
import dev.carillon.model.SimulatedRun;
import dev.carillon.model.SimulatedRun.Outcome;
import dev.carillon.model.SimulatedSchedule;
import dev.carillon.policy.CalendarPolicy;
import dev.carillon.policy.CatchUp;
import dev.carillon.policy.Overlap;
import dev.carillon.policy.Recovery;
import dev.carillon.time.Every;
import dev.carillon.time.InvalidValueException;
import dev.carillon.time.Jitter;
import dev.carillon.time.Window;
import dev.carillon.time.business.BusinessCalendar;
import dev.carillon.time.business.QuietAction;
import dev.carillon.time.business.QuietHours;
import dev.carillon.time.business.QuietWindow;
import dev.carillon.time.business.Roll;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What would become of schedules, told without a database. */
class ScheduleSimulationTest {
  private static final ZoneId UTC = ZoneId.of("UTC");
  private static final Instant START = at("10:00");
  private final Simulation hour = Simulation.between(START, at("11:00"));

  private static Instant at(String time) {
    return Instant.parse("2026-03-02T" + time + ":00Z");
  }

  private static ScheduleDraft every(int minutes) {
    return ScheduleDraft.named("report").target("log").every(Duration.ofMinutes(minutes));
  }

  private static List<String> slots(SimulatedSchedule schedule) {
    return schedule.runs().stream().map(run -> time(run.slot())).toList();
  }

  private static List<String> told(SimulatedSchedule schedule) {
    return schedule.runs().stream()
        .map(
            run ->
                time(run.slot())
                    + " "
                    + run.outcome()
                    + run.startedAt()
                        .map(start -> " " + time(start) + "-" + time(run.finishedAt()))
                        .orElse(""))
        .toList();
  }

  private static List<String> dropped(SimulatedSchedule schedule) {
    return schedule.dropped().stream()
        .map(
            slots ->
                "%s %s-%s %s"
                    .formatted(
                        slots.reason(), time(slots.first()), time(slots.last()), slots.slots()))
        .toList();
  }

  private static String time(Instant instant) {
    return instant.toString().substring(11, 16);
  }

  @Test
  void the_slots_of_the_period_run_with_the_first_and_without_the_last_instant() {
    SimulatedSchedule schedule = hour.of(every(20));

    assertThat(told(schedule))
        .containsExactly(
            "10:00 SUCCEEDED 10:00-10:00",
            "10:20 SUCCEEDED 10:20-10:20",
            "10:40 SUCCEEDED 10:40-10:40");
    assertThat(schedule.dropped()).isEmpty();
    assertThat(schedule.cutAt()).isEmpty();
  }

  @Test
  void a_window_a_maximum_and_a_single_time_are_respected() {
    assertThat(slots(hour.of(every(10).window(new Window(at("10:15"), at("10:40"))))))
        .containsExactly("10:20", "10:30", "10:40");
    assertThat(slots(hour.of(every(10).maxRuns(2)))).containsExactly("10:00", "10:10");
    assertThat(slots(hour.of(ScheduleDraft.named("one").target("log").at(at("10:31")))))
        .containsExactly("10:31");
    assertThat(slots(hour.of(ScheduleDraft.named("one").target("log").at(at("09:31"))))).isEmpty();
  }

  private static Simulation byBank(String from, String to) {
    return Simulation.between(Instant.parse(from), Instant.parse(to))
        .rules(
            List.of(
                CalendarDefinition.of(
                    BusinessCalendar.named("bank", UTC).weekdayHours("09:00-17:00").build())),
            List.of());
  }

  private static ScheduleDraft onBusinessDay(int day) {
    return ScheduleDraft.named("ledger")
        .target("log")
        .businessDayOfMonth(day, LocalTime.of(18, 0), "bank");
  }

  private static List<String> starts(SimulatedSchedule schedule) {
    return schedule.runs().stream()
        .flatMap(run -> run.startedAt().stream())
        .map(Instant::toString)
        .toList();
  }

  @Test
  void
      a_period_that_begins_between_a_slot_and_the_day_it_stands_for_has_that_day_and_none_before() {
    Simulation march = byBank("2026-03-03T12:00:00Z", "2026-03-20T00:00:00Z");
    Simulation endOfMay = byBank("2026-05-30T12:00:00Z", "2026-06-20T00:00:00Z");

    assertThat(starts(march.of(onBusinessDay(3)))).containsExactly("2026-03-04T18:00:00Z");
    assertThat(march.of(onBusinessDay(2)).runs()).hasSize(1);
    assertThat(endOfMay.of(onBusinessDay(-1)).runs()).isEmpty();
    assertThat(endOfMay.of(onBusinessDay(-1)).dropped()).isEmpty();
  }

  @Test
  void a_pause_holds_the_slots_of_the_days_in_it_and_not_those_that_stand_for_later_days() {
    Simulation spring = byBank("2026-03-01T00:00:00Z", "2026-04-20T00:00:00Z");
    Pause over =
        Pause.because("why")
            .startingAt(Instant.parse("2026-03-01T12:00:00Z"))
            .endingAt(Instant.parse("2026-03-03T12:00:00Z"));
    Pause that =
        Pause.because("why")
            .startingAt(Instant.parse("2026-04-03T12:00:00Z"))
            .endingAt(Instant.parse("2026-04-05T12:00:00Z"));

    assertThat(starts(spring.of(onBusinessDay(3), over)))
        .containsExactly("2026-03-04T18:00:00Z", "2026-04-03T18:00:00Z");
    SimulatedSchedule held = spring.of(onBusinessDay(3), that);
    assertThat(starts(held)).containsExactly("2026-03-04T18:00:00Z");
    assertThat(held.dropped()).singleElement().matches(one -> one.slots() == 1);
  }

  @Test
  void calendars_and_quiet_hours_move_drop_and_merge_slots() {
    Simulation ruled =
        Simulation.between(
                Instant.parse("2026-03-06T10:00:00Z"), Instant.parse("2026-03-09T10:00:00Z"))
            .rules(
                List.of(CalendarDefinition.of(BusinessCalendar.named("bank", UTC).build())),
                List.of(
                    QuietHoursDefinition.ofTags(
                        new QuietHours(
                            "noon",
                            UTC,
                            List.of(QuietWindow.daily("12:00-13:00")),
                            List.of(),
                            QuietAction.SKIP),
                        "loud")));
    ScheduleDraft daily = ScheduleDraft.named("daily").target("log").cron("30 12 * * *");

    SimulatedSchedule rolled = ruled.of(daily.calendar(CalendarPolicy.of("bank", Roll.FOLLOWING)));
    SimulatedSchedule quiet = ruled.of(daily.tags("loud"));
    SimulatedSchedule finishing =
        ruled.of(
            ScheduleDraft.named("beat")
                .target("log")
                .every(Duration.ofMinutes(30))
                .afterFinish()
                .tags("loud")
                .until(Instant.parse("2026-03-06T14:00:00Z")));

    assertThat(rolled.runs().stream().map(run -> run.slot() + " " + run.dueAt()))
        .containsExactly(
            "2026-03-06T12:30:00Z 2026-03-06T12:30:00Z",
            "2026-03-07T12:30:00Z 2026-03-09T12:30:00Z");
    assertThat(rolled.dropped())
        .containsExactly(
            new DroppedSlots(
                Instant.parse("2026-03-08T12:30:00Z"),
                Instant.parse("2026-03-08T12:30:00Z"),
                1,
                DroppedSlots.Reason.MERGED,
                Optional.empty(),
                Optional.of(Instant.parse("2026-03-07T12:30:00Z"))));
    assertThat(quiet.runs()).isEmpty();
    assertThat(dropped(quiet)).containsExactly("QUIET_HOURS 12:30-12:30 3");
    assertThat(slots(finishing))
        .containsExactly("10:30", "11:00", "11:30", "13:00", "13:30", "14:00");
    assertThat(dropped(finishing)).containsExactly("QUIET_HOURS 12:00-12:30 2");
    assertThatExceptionOfType(InvalidValueException.class)
        .isThrownBy(() -> ruled.of(daily.calendar(CalendarPolicy.of("moon", Roll.SKIP))))
        .withMessageContaining("there is no calendar 'moon'");
  }

  @Test
  void jitter_moves_runs_as_it_would() {
    ScheduleDraft draft = every(20).jitter(Duration.ofMinutes(5));
    Jitter jitter = Jitter.around(Duration.ofMinutes(5));

    assertThat(hour.of(draft).runs())
        .hasSizeGreaterThanOrEqualTo(3)
        .allSatisfy(
            run ->
                assertThat(run.dueAt())
                    .isEqualTo(
                        jitter.dueAt(Every.of(Duration.ofMinutes(20)), "report", run.slot())));
  }

  @Test
  void runs_that_take_longer_than_the_interval_overlap_as_the_rule_says() {
    Simulation slow = Simulation.between(START, at("10:50")).runTime(Duration.ofMinutes(15));

    assertThat(told(slow.of(every(10).overlap(Overlap.SKIP))))
        .containsExactly(
            "10:00 SUCCEEDED 10:00-10:15",
            "10:10 SKIPPED",
            "10:20 SUCCEEDED 10:20-10:35",
            "10:30 SKIPPED",
            "10:40 SUCCEEDED 10:40-10:55");
    assertThat(told(slow.of(every(10).overlap(Overlap.QUEUE_ONE))))
        .containsExactly(
            "10:00 SUCCEEDED 10:00-10:15",
            "10:10 SUCCEEDED 10:15-10:30",
            "10:20 SUCCEEDED 10:30-10:45",
            "10:30 SUCCEEDED 10:45-11:00",
            "10:40 SKIPPED");
    assertThat(told(slow.of(every(10).overlap(Overlap.CANCEL_PREVIOUS))))
        .containsExactly(
            "10:00 CANCELED 10:00-10:10",
            "10:10 CANCELED 10:10-10:20",
            "10:20 CANCELED 10:20-10:30",
            "10:30 CANCELED 10:30-10:40",
            "10:40 SUCCEEDED 10:40-10:55");
    assertThat(told(slow.of(every(10).overlap(Overlap.ALLOW))))
        .allMatch(line -> line.contains("SUCCEEDED"));
  }

  @Test
  void after_an_outage_catch_up_decides_what_runs() {
    Simulation broken = hour.outage(at("10:05"), at("10:46"));
    ScheduleDraft draft = every(10).overlap(Overlap.ALLOW);

    SimulatedSchedule skipping = broken.of(draft.catchUp(CatchUp.skip().grace(Duration.ZERO)));
    assertThat(slots(skipping)).containsExactly("10:00", "10:50");
    assertThat(dropped(skipping)).containsExactly("MISSED 10:10-10:40 4");

    SimulatedSchedule once = broken.of(draft.catchUp(CatchUp.once().grace(Duration.ZERO)));
    assertThat(told(once))
        .containsExactly(
            "10:00 SUCCEEDED 10:00-10:00",
            "10:40 SUCCEEDED 10:46-10:46",
            "10:50 SUCCEEDED 10:50-10:50");
    assertThat(dropped(once)).containsExactly("MISSED 10:10-10:30 3");

    assertThat(told(broken.of(draft.catchUp(CatchUp.all().grace(Duration.ZERO)))))
        .contains("10:10 SUCCEEDED 10:46-10:46", "10:40 SUCCEEDED 10:46-10:46")
        .hasSize(6);

    SimulatedSchedule spread = broken.of(draft.catchUp(CatchUp.spread().grace(Duration.ZERO)));
    assertThat(spread.runs())
        .filteredOn(run -> run.slot().isAfter(START) && run.slot().isBefore(at("10:50")))
        .extracting(SimulatedRun::dueAt)
        .hasSize(4)
        .allSatisfy(due -> assertThat(due).isBetween(at("10:46"), at("10:47")));
  }

  @Test
  void a_run_in_an_outage_is_recovered_as_its_schedule_says() {
    Simulation broken = hour.runTime(Duration.ofMinutes(10)).outage(at("10:25"), at("10:31"));

    assertThat(told(broken.of(every(20).recovery(Recovery.RESUBMIT))))
        .containsExactly(
            "10:00 SUCCEEDED 10:00-10:10", "10:20 SUCCEEDED 10:20-10:41", "10:40 SKIPPED");
    SimulatedSchedule failing = broken.of(every(20).recovery(Recovery.FAIL));
    assertThat(told(failing))
        .containsExactly(
            "10:00 SUCCEEDED 10:00-10:10",
            "10:20 FAILED 10:20-10:31",
            "10:40 SUCCEEDED 10:40-10:50");
    assertThat(failing.runs().get(1).reason())
        .isEqualTo("its node was lost, and it is not run again");
  }

  @Test
  void slots_of_a_pause_become_no_runs() {
    Pause coming = Pause.because("why").startingAt(at("10:15")).endingAt(at("10:35"));
    SimulatedSchedule paused = hour.of(every(10), coming);
    assertThat(slots(paused)).containsExactly("10:00", "10:10", "10:40", "10:50");
    assertThat(dropped(paused)).containsExactly("PAUSED 10:20-10:30 2");

    SimulatedSchedule begun = hour.of(every(10), new Pause("why", Optional.of(at("10:35"))));
    assertThat(slots(begun)).containsExactly("10:40", "10:50");
    assertThat(dropped(begun)).containsExactly("PAUSED 10:00-10:30 4");

    SimulatedSchedule endless = hour.of(every(10), Pause.because("why"));
    assertThat(endless.runs()).isEmpty();
    assertThat(dropped(endless)).containsExactly("PAUSED 10:00-10:50 6");

    SimulatedSchedule over = hour.outage(at("10:30"), at("10:41")).of(every(10), coming);
    assertThat(slots(over)).startsWith("10:00", "10:10").endsWith("10:50");
  }

  @Test
  void an_interval_after_the_end_of_a_run_depends_on_how_long_runs_take() {
    ScheduleDraft after = every(10).afterFinish();

    assertThat(told(hour.runTime(Duration.ofMinutes(5)).of(after)))
        .containsExactly(
            "10:10 SUCCEEDED 10:10-10:15",
            "10:25 SUCCEEDED 10:25-10:30",
            "10:40 SUCCEEDED 10:40-10:45",
            "10:55 SUCCEEDED 10:55-11:00");
    assertThat(told(hour.outage(at("10:05"), at("10:33")).of(after)))
        .startsWith("10:10 SUCCEEDED 10:33-10:33", "10:43 SUCCEEDED 10:43-10:43");
    assertThat(slots(hour.of(after, new Pause("why", Optional.of(at("10:35"))))))
        .containsExactly("10:45", "10:55");
    assertThat(slots(hour.of(after.maxRuns(2)))).containsExactly("10:10", "10:20");
  }

  @Test
  void too_many_runs_are_cut_and_it_says_where() {
    ScheduleDraft tick = ScheduleDraft.named("tick").target("log").every(Duration.ofSeconds(1));

    SimulatedSchedule cut = hour.mostRuns(1_500).of(tick);

    assertThat(cut.runs()).hasSize(1_500);
    assertThat(cut.cutAt()).contains(START.plusSeconds(1_500));
    assertThat(hour.of(tick).runs()).hasSize(3_600);
    assertThat(hour.mostRuns(2).of(every(10).afterFinish()).cutAt()).contains(at("10:30"));
  }

  @Test
  void an_outage_of_a_year_costs_one_stretch() {
    Instant end = START.plus(Duration.ofDays(366));
    SimulatedSchedule schedule =
        Simulation.between(START, end)
            .outage(START.plusSeconds(2), end.minusSeconds(2))
            .of(
                ScheduleDraft.named("tick")
                    .target("log")
                    .every(Duration.ofSeconds(1))
                    .catchUp(CatchUp.skip().grace(Duration.ZERO)));

    assertThat(schedule.runs()).hasSize(4);
    assertThat(schedule.dropped().stream().mapToLong(DroppedSlots::slots).sum())
        .isEqualTo(366 * 86_400 - 4);
  }

  @Test
  void an_outage_of_the_whole_period_lets_nothing_run() {
    assertThat(hour.outage(at("09:00"), at("12:00")).of(every(10)).runs()).isEmpty();
    assertThat(hour.of(every(10)).runs())
        .allMatch(run -> run.outcome() == Outcome.SUCCEEDED)
        .hasSize(6);
  }

  @Test
  void what_makes_no_sense_is_refused_with_its_field() {
    assertThatExceptionOfType(InvalidValueException.class)
        .isThrownBy(() -> Simulation.between(START, START))
        .withMessage(
            "a simulation must end after it begins; was from 2026-03-02T10:00:00Z to"
                + " 2026-03-02T10:00:00Z")
        .satisfies(refusal -> assertThat(refusal.field()).contains("to"));
    assertThatExceptionOfType(InvalidValueException.class)
        .isThrownBy(() -> Simulation.between(START, START.plus(Duration.ofDays(367))))
        .withMessageContaining("at most 366 days");
    assertThatExceptionOfType(InvalidValueException.class)
        .isThrownBy(() -> hour.outage(at("10:05"), at("10:01")))
        .satisfies(refusal -> assertThat(refusal.field()).contains("outage"));
    assertThatExceptionOfType(InvalidValueException.class)
        .isThrownBy(() -> hour.runTime(Duration.ofSeconds(-1)))
        .satisfies(refusal -> assertThat(refusal.field()).contains("runTime"));
  }
}
