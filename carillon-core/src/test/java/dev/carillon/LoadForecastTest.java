package dev.carillon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.model.LoadForecast;
import dev.carillon.model.Pause;
import dev.carillon.model.QuietHoursDefinition;
import dev.carillon.model.Run;
import dev.carillon.model.RunFilter;
import dev.carillon.model.RunState;
import dev.carillon.model.Schedule;
import dev.carillon.model.ScheduleFilter;
import dev.carillon.model.Scope;
import dev.carillon.model.UpcomingSlot;
import dev.carillon.policy.CalendarPolicy;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.time.InvalidValueException;
import dev.carillon.time.business.BusinessCalendar;
import dev.carillon.time.business.Freeze;
import dev.carillon.time.business.OutsideHours;
import dev.carillon.time.business.QuietAction;
import dev.carillon.time.business.QuietHours;
import dev.carillon.time.business.Roll;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The fires of all schedules by minute, of which some are planned already. */
@ExtendWith(EmbeddedPostgres.class)
class LoadForecastTest {
  private final Belfry belfry;
  private final ManualCarillon node;

  LoadForecastTest(DataSource postgres) {
    belfry = new Belfry(postgres);
    node = belfry.node(builder -> builder.target("bell", context -> {}));
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  private Instant now() {
    return belfry.clock().instant();
  }

  private static ScheduleDraft named(String key) {
    return ScheduleDraft.named(key).target("bell");
  }

  private static Map<Instant, Long> perMinute(LoadForecast forecast) {
    var fires = new TreeMap<Instant, Long>();
    for (int i = 0; i < forecast.fires().size(); i++) {
      if (forecast.fires().get(i) > 0) {
        fires.put(forecast.firstMinute().plusSeconds(60L * i), forecast.fires().get(i));
      }
    }
    return fires;
  }

  private Map<Instant, Long> sumOfPreviews(Instant to) {
    return sumOfPreviews(Instant.MIN, to);
  }

  private Map<Instant, Long> sumOfPreviews(Instant from, Instant to) {
    var fires = new TreeMap<Instant, Long>();
    for (Schedule schedule : node.schedules().list(ScheduleFilter.all())) {
      for (UpcomingSlot slot : node.schedules().preview(schedule.key(), 1_000).orElseThrow()) {
        if (!slot.dueAt().isBefore(from) && slot.dueAt().isBefore(to)) {
          fires.merge(slot.dueAt().truncatedTo(ChronoUnit.MINUTES), 1L, Long::sum);
        }
      }
    }
    return fires;
  }

  @Test
  void it_is_the_sum_of_all_previews_also_of_what_is_planned_paused_or_moved() {
    for (int i = 0; i < 5; i++) {
      node.schedules().create(named("same-" + i).cron("*/10 * * * *", "Europe/Rome"));
      node.schedules().create(named("hash-" + i).cron("H/20 * * * *"));
      node.schedules()
          .create(named("moved-" + i).cron("30 * * * *").jitter(Duration.ofMinutes(20)));
    }
    node.schedules().create(named("tick").every(Duration.ofSeconds(7)));
    node.schedules().create(named("few").every(Duration.ofSeconds(20)).maxRuns(200));
    node.schedules().create(named("after").every(Duration.ofMinutes(5)).afterFinish());
    node.schedules().create(named("once").at(now().plus(Duration.ofMinutes(45))));
    node.schedules().create(named("gone").every(Duration.ofSeconds(60)));
    node.schedules().create(named("resting").every(Duration.ofSeconds(60)));
    node.schedules().create(named("soon").every(Duration.ofSeconds(60)));
    node.schedules().create(named("stopped").every(Duration.ofSeconds(60)));
    node.schedules().retire("gone");
    node.schedules().pause("stopped", "why");
    node.schedules().pause("resting", "why", now().plus(Duration.ofMinutes(30)));
    node.schedules()
        .pause(
            "soon",
            Pause.because("why")
                .startingAt(now().plus(Duration.ofMinutes(20)))
                .endingAt(now().plus(Duration.ofMinutes(40))));
    node.pass(Duration.ofSeconds(95));
    Instant to = now().plus(Duration.ofMinutes(100));

    LoadForecast forecast = node.schedules().forecast(now(), to);

    assertThat(node.runs().list(RunFilter.all().state(RunState.PENDING))).isNotEmpty();
    assertThat(perMinute(forecast)).isEqualTo(sumOfPreviews(to));
    assertThat(forecast.schedules()).isEqualTo(new LoadForecast.Coverage(21, 1, 1, 0, 0, 0));
  }

  @Test
  void it_is_the_sum_of_all_previews_also_where_calendars_and_quiet_hours_move_runs() {
    node.carillon()
        .calendars()
        .save(BusinessCalendar.named("bank", ZoneId.of("UTC")).weekdayHours("09:00-17:00").build());
    Instant quiet = now().plus(Duration.ofHours(3));
    node.carillon()
        .quietHours()
        .save(
            QuietHoursDefinition.ofTags(
                new QuietHours(
                    "hush",
                    ZoneId.of("UTC"),
                    List.of(),
                    List.of(new Freeze(quiet, quiet.plus(Duration.ofHours(1)), "why")),
                    QuietAction.COALESCE),
                "loud"),
            "");
    for (Roll roll : Roll.values()) {
      node.schedules()
          .create(
              named("roll-" + roll)
                  .cron("*/30 * * * *")
                  .tags(roll == Roll.NEAREST ? List.of("loud") : List.of())
                  .calendar(CalendarPolicy.of("bank", roll)));
    }
    node.schedules()
        .create(
            named("hours")
                .cron("*/30 * * * *")
                .jitter(Duration.ofMinutes(5))
                .calendar(
                    CalendarPolicy.of("bank", Roll.FOLLOWING).outsideHours(OutsideHours.DEFER)));
    node.schedules().create(named("loud").cron("*/5 * * * *").tags("loud"));
    node.schedules().create(named("plain").cron("*/5 * * * *"));
    node.runDue();
    node.pass(Duration.ofSeconds(90));
    Instant to = now().plus(Duration.ofDays(2));

    LoadForecast forecast = node.schedules().forecast(now(), to);

    assertThat(perMinute(forecast)).isEqualTo(sumOfPreviews(to));
    assertThat(forecast.schedules().withoutRules()).isZero();
  }

  @Test
  void it_is_the_sum_of_all_previews_also_where_a_calendar_says_which_day_a_slot_stands_for() {
    node.carillon()
        .calendars()
        .save(BusinessCalendar.named("bank", ZoneId.of("UTC")).weekdayHours("09:00-17:00").build());
    Instant tuesday = Instant.parse("2026-03-03T12:00:00Z");
    Instant friday = Instant.parse("2026-03-06T12:00:00Z");
    node.schedules().create(thirdBusinessDay("planned"));
    node.runDue();
    belfry.clock().advanceTo(Instant.parse("2026-03-02T12:00:00Z"));
    node.runDue();
    node.schedules().create(thirdBusinessDay("begun"));
    node.schedules().create(named("open").whenHoursOpen("bank", Duration.ofHours(-1)));
    node.schedules().create(thirdBusinessDay("resting"));
    node.schedules().pause("resting", "why", tuesday);
    node.schedules().create(thirdBusinessDay("held"));
    node.schedules().create(named("shut").whenHoursClose("bank", Duration.ofHours(1)));
    for (String key : List.of("held", "shut")) {
      node.schedules().pause(key, Pause.because("why").startingAt(tuesday).endingAt(friday));
    }
    Instant to = now().plus(Duration.ofDays(7));

    for (Instant from : List.of(now(), Instant.parse("2026-03-04T12:00:00Z"))) {
      LoadForecast forecast = node.schedules().forecast(from, to);

      assertThat(perMinute(forecast)).isEqualTo(sumOfPreviews(from, to));
      assertThat(forecast.worst().get(0).keys()).containsExactly("begun", "planned", "resting");
    }
  }

  private static ScheduleDraft thirdBusinessDay(String key) {
    return named(key).businessDayOfMonth(3, LocalTime.of(18, 0), "bank");
  }

  @Test
  void a_run_that_was_canceled_ahead_of_its_time_is_not_counted() {
    node.schedules().create(named("tick").every(Duration.ofSeconds(20)));
    node.runDue();
    Instant to = now().plusSeconds(60);
    assertThat(node.schedules().forecast(now(), to).totalFires()).isEqualTo(2);

    List<Run> planned = node.runs().list(RunFilter.all().state(RunState.PENDING));
    node.runs().cancel(planned.get(planned.size() - 1).id(), "not today");

    assertThat(node.schedules().forecast(now(), to).totalFires()).isEqualTo(1);
  }

  @Test
  void after_an_edit_what_has_a_run_already_is_counted_once() {
    node.schedules().create(named("tick").every(Duration.ofSeconds(10)));
    node.pass(Duration.ofSeconds(25));
    node.schedules().upsert(named("tick").every(Duration.ofSeconds(5)));
    Instant to = now().plusSeconds(300);

    LoadForecast forecast = node.schedules().forecast(now(), to);

    assertThat(perMinute(forecast)).isEqualTo(sumOfPreviews(to));
    assertThat(forecast.worst().get(0).schedules()).isEqualTo(1);
  }

  @Test
  void a_definition_that_cannot_be_read_is_left_out_and_said() {
    node.schedules().create(named("good").cron("0 * * * *"));
    node.schedules().create(named("bad").cron("0 * * * *"));
    belfry
        .psql()
        .execute(
            """
            update carillon.schedule_version
               set definition = jsonb_set(definition, '{timing,zone}', '"Mars/Olympus"')
             where schedule_id = (select id from carillon.schedule where key = 'bad')
            """);

    LoadForecast forecast = node.schedules().forecast(now(), now().plus(Duration.ofHours(3)));

    assertThat(forecast.schedules().unreadable()).isEqualTo(1);
    assertThat(forecast.schedules().firing()).isEqualTo(1);
  }

  @Test
  void a_scope_counts_only_what_it_reaches() {
    node.schedules().create(named("a-1").cron("0 * * * *"));
    node.schedules().create(named("b-1").cron("0 * * * *"));
    node.schedules().create(named("b-2").cron("0 * * * *"));
    node.schedules().pause("b-2", "why");

    LoadForecast forecast =
        node.schedules()
            .within(new Scope(List.of(), List.of(), List.of("a-")))
            .forecast(now(), now().plus(Duration.ofHours(2)));

    assertThat(forecast.worst().get(0).keys()).containsExactly("a-1");
    assertThat(forecast.worst().get(0).fires()).isEqualTo(1);
    assertThat(forecast.schedules().pausedWithoutEnd()).isZero();
  }

  @Test
  void a_fire_at_the_very_beginning_of_the_period_counts_also_if_quiet_hours_leave_it_alone() {
    Instant hour = now().plus(Duration.ofHours(2)).truncatedTo(ChronoUnit.HOURS);
    node.carillon()
        .quietHours()
        .save(
            QuietHoursDefinition.ofTags(
                new QuietHours(
                    "hush",
                    ZoneId.of("UTC"),
                    List.of(),
                    List.of(
                        new Freeze(
                            hour.plus(Duration.ofHours(5)), hour.plus(Duration.ofHours(6)), "why")),
                    QuietAction.SKIP),
                "loud"),
            "");
    node.schedules().create(named("loud").cron("0 * * * *").tags("loud"));

    LoadForecast forecast = node.schedules().forecast(hour, hour.plus(Duration.ofMinutes(1)));

    assertThat(forecast.totalFires()).isEqualTo(1);
  }

  @Test
  void a_single_minute_names_more_of_those_who_fire_in_it_than_a_longer_period() {
    for (int i = 10; i < 40; i++) {
      node.schedules().create(named("herd-" + i).cron("0 * * * *"));
    }
    Instant hour = now().plus(Duration.ofHours(1)).truncatedTo(ChronoUnit.HOURS);

    LoadForecast minute = node.schedules().forecast(hour, hour.plus(Duration.ofMinutes(1)));
    LoadForecast longer = node.schedules().forecast(hour, hour.plus(Duration.ofMinutes(2)));

    assertThat(minute.worst().get(0).keys()).hasSize(30).startsWith("herd-10").endsWith("herd-39");
    assertThat(longer.worst().get(0).keys()).hasSize(10).startsWith("herd-10").endsWith("herd-19");
    assertThat(longer.worst().get(0).schedules()).isEqualTo(30);
  }

  @Test
  void a_period_that_has_passed_is_empty_or_too_long_is_refused_with_its_field() {
    Instant now = now();
    assertThatExceptionOfType(InvalidValueException.class)
        .isThrownBy(() -> node.schedules().forecast(now.minusSeconds(61), now.plusSeconds(9)))
        .withMessage(
            "a forecast is of fires to come, and '2026-02-28T23:58:59Z' has passed; leave it out to"
                + " begin now")
        .satisfies(refusal -> assertThat(refusal.field()).isEqualTo(Optional.of("from")));
    assertThatExceptionOfType(InvalidValueException.class)
        .isThrownBy(() -> node.schedules().forecast(now, now))
        .withMessageStartingWith("must be after 'from'")
        .satisfies(refusal -> assertThat(refusal.field()).isEqualTo(Optional.of("to")));
    assertThatExceptionOfType(InvalidValueException.class)
        .isThrownBy(
            () -> node.schedules().forecast(now, now.plus(Duration.ofDays(7)).plusSeconds(1)))
        .withMessageStartingWith("a forecast covers at most 7 days; ")
        .satisfies(refusal -> assertThat(refusal.field()).isEqualTo(Optional.of("to")));
  }
}
