package dev.carillon.examples;

import dev.carillon.ScheduleDraft;
import dev.carillon.Schedules;
import dev.carillon.model.Explanation;
import dev.carillon.postgres.LocalPostgres;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.testing.TestClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** A month of a nightly report, after which somebody asks why some nights had none. */
public final class WhyDidItNotRun {
  private WhyDidItNotRun() {}

  public static void main(String[] args) {
    try (var postgres = LocalPostgres.temporary();
        var pool = Pool.of(postgres)) {
      run(pool)
          .forEach(
              explanation -> System.out.printf("%s%n%s%n%n", explanation.at(), explanation.text()));
    }
  }

  static List<Explanation> run(DataSource database) {
    var clock = TestClock.at("2027-03-20T12:00:00Z");
    try (var carillon =
        ManualCarillon.on(database)
            .clock(clock)
            .with(builder -> builder.nodeName("north"))
            .target("report", run -> {})
            .start()) {
      Schedules schedules = carillon.schedules();
      schedules
          .as("ann")
          .create(
              ScheduleDraft.named("nightly").target("report").cron("30 2 * * *", "Europe/Rome"));
      carillon.pass(Duration.ofDays(2));
      schedules.as("bob").pause("nightly", "the report is being rebuilt");
      carillon.pass(Duration.ofDays(2));
      schedules.as("ann").resume("nightly");
      clock.advance(Duration.ofDays(3)); // no node is alive
      carillon.pass(Duration.ofDays(2));
      return explained(schedules);
    }
  }

  private static List<Explanation> explained(Schedules schedules) {
    var explanations = new ArrayList<Explanation>();
    Stream.of(
            "2027-03-22T01:30:00Z", // bob had paused it by the night after this one
            "2027-03-23T01:30:00Z",
            "2027-03-25T01:30:00Z",
            "2027-03-28T01:30:00Z", // 02:30 on the clock of the day before
            "2027-03-30T00:30:00Z")
        .map(Instant::parse)
        .forEach(at -> explanations.add(explain(schedules, at)));
    return explanations;
  }

  private static Explanation explain(Schedules schedules, Instant at) {
    return schedules.explain("nightly", at).orElseThrow();
  }
}
