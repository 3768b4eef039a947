package dev.carillon.examples;

import dev.carillon.ScheduleDraft;
import dev.carillon.Schedules;
import dev.carillon.model.CalendarDefinition;
import dev.carillon.model.Explanation;
import dev.carillon.model.QuietHoursDefinition;
import dev.carillon.policy.CalendarPolicy;
import dev.carillon.postgres.LocalPostgres;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.testing.TestClock;
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
import java.util.stream.Stream;
import javax.sql.DataSource;

/** An Easter of a schedule that follows a calendar, and quiet hours of another. */
public final class WhyWasItMoved {
  private static final ZoneId ROME = ZoneId.of("Europe/Rome");

  private WhyWasItMoved() {}

  public static void main(String[] args) {
    try (var postgres = LocalPostgres.temporary();
        var pool = Pool.of(postgres)) {
      run(pool)
          .forEach(
              explanation -> System.out.printf("%s%n%s%n%n", explanation.at(), explanation.text()));
    }
  }

  static List<Explanation> run(DataSource database) {
    var clock = TestClock.at("2027-03-28T12:00:00Z");
    try (var carillon =
        ManualCarillon.on(database)
            .clock(clock)
            .with(builder -> builder.nodeName("north"))
            .target("settle", run -> {})
            .start()) {
      carillon
          .carillon()
          .calendars()
          .as("ann")
          .save(
              CalendarDefinition.of(
                  BusinessCalendar.named("it", ROME)
                      .holiday(LocalDate.parse("2027-03-29"), "Easter Monday")
                      .build()),
              "holidays of 2027");
      carillon.carillon().quietHours().as("ann").save(night(), "");
      Schedules schedules = carillon.schedules().as("ann");
      ScheduleDraft settle = ScheduleDraft.named("settle").target("settle");
      schedules.create(
          settle
              .cron("0 9 * * *", "Europe/Rome")
              .calendar(CalendarPolicy.of("it", Roll.FOLLOWING)));
      schedules.create(
          ScheduleDraft.named("notify")
              .target("settle")
              .cron("30 23 * * *", "Europe/Rome")
              .quietHours("night"));
      carillon.pass(Duration.ofDays(2));
      return Stream.of(
              explain(schedules, "settle", "2027-03-29T07:00:00Z"),
              explain(schedules, "settle", "2027-03-30T07:00:00Z"),
              explain(schedules, "notify", "2027-03-29T05:00:00Z"))
          .toList();
    }
  }

  private static QuietHoursDefinition night() {
    return QuietHoursDefinition.of(
        new QuietHours(
            "night",
            ROME,
            List.of(QuietWindow.daily("22:00-07:00")),
            List.of(),
            QuietAction.COALESCE));
  }

  private static Explanation explain(Schedules schedules, String key, String at) {
    return schedules.explain(key, Instant.parse(at)).orElseThrow();
  }
}
