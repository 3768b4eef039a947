package dev.carillon.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.carillon.ScheduleDraft;
import dev.carillon.model.Decision;
import dev.carillon.model.DroppedSlots;
import dev.carillon.model.Run;
import dev.carillon.policy.CatchUp;
import dev.carillon.postgres.LocalPostgres;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.testing.RecordingTarget;
import dev.carillon.testing.TestClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of schedules whose time is moved by hand, as a user of Carillon writes them. */
class MovedTimeTest {
  private final TestClock clock = TestClock.at("2026-03-01T00:00:00Z");
  private final RecordingTarget report = new RecordingTarget();
  private final LocalPostgres postgres = LocalPostgres.temporary();
  private final HikariDataSource pool = Pool.of(postgres);
  private final ManualCarillon carillon =
      ManualCarillon.on(pool).clock(clock).target("report", report).start();

  @AfterEach
  void stop() {
    carillon.close();
    pool.close();
    postgres.close();
  }

  @Test
  void a_day_passes() {
    carillon
        .schedules()
        .create(ScheduleDraft.named("nightly").target("report").cron("0 2 * * *", "Europe/Rome"));

    carillon.pass(Duration.ofDays(1));

    assertThat(report.slots()).containsExactly(Instant.parse("2026-03-01T01:00:00Z"));
    assertThat(carillon.runs().ofSchedule("nightly"))
        .extracting(Run::lateness)
        .extracting(lateness -> lateness.orElseThrow())
        .containsExactly(Duration.ZERO);
  }

  @Test
  void after_three_nights_without_a_node_only_the_newest_report_is_made_up_for() {
    carillon
        .schedules()
        .create(
            ScheduleDraft.named("nightly")
                .target("report")
                .cron("0 2 * * *", "Europe/Rome")
                .catchUp(CatchUp.once()));

    clock.advance(Duration.ofDays(3));
    carillon.runDue();

    assertThat(report.slots()).containsExactly(Instant.parse("2026-03-03T01:00:00Z"));
    List<Decision> decisions =
        carillon.schedules().decisions("nightly", Instant.EPOCH, clock.instant(), 10);
    assertThat(decisions)
        .extracting(Decision::droppedSlots)
        .containsExactly(
            new DroppedSlots(
                Instant.parse("2026-03-01T01:00:00Z"),
                Instant.parse("2026-03-02T01:00:00Z"),
                2,
                DroppedSlots.Reason.MISSED));
  }
}
