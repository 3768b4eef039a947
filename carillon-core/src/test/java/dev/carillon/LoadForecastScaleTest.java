package dev.carillon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.Psql;
import dev.carillon.model.LoadForecast;
import dev.carillon.store.jdbc.Database;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Prints what the forecast of many schedules costs: {@code -Dforecast.schedules=100000} says how
 * many, without it nothing is measured.
 */
@ExtendWith(EmbeddedPostgres.class)
@EnabledIfSystemProperty(named = "forecast.schedules", matches = "\\d+")
class LoadForecastScaleTest {
  private static final int ROUNDS = 6;
  private static final List<String> ZONES =
      List.of("UTC", "Europe/Rome", "America/New_York", "Asia/Tokyo");

  private final Instant now = Instant.parse("2026-03-01T10:00:30Z");
  private final Psql psql;
  private final Schedules schedules;

  LoadForecastScaleTest(DataSource postgres) {
    psql = new Psql(postgres);
    schedules =
        SchedulesOn.database(
            new Database(postgres), () -> now, Set.of("log"), event -> {}, () -> {});
  }

  @Test
  void the_cost_of_a_forecast_is_printed() {
    int many = Integer.getInteger("forecast.schedules", 0);
    schedules.createAll(IntStream.range(0, many).mapToObj(LoadForecastScaleTest::draft));
    psql.execute("analyze carillon.schedule, carillon.schedule_version, carillon.cursor");

    for (Duration period : List.of(Duration.ofDays(1), Duration.ofDays(7))) {
      for (int round = 1; round <= ROUNDS; round++) {
        LoadForecast forecast = measured(period, round);
        assertThat(forecast.schedules().firing()).isPositive();
      }
    }
  }

  private LoadForecast measured(Duration period, int round) {
    long start = System.nanoTime();
    long cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    LoadForecast forecast = schedules.forecast(now, now.plus(period));
    System.out.printf(
        "forecast of %s, round %d: %d ms, %d ms of them on the CPU of this process; %d schedules, %d fires, worst %d, %s%n",
        period,
        round,
        (System.nanoTime() - start) / 1_000_000,
        (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpu) / 1_000_000,
        forecast.schedules().firing(),
        forecast.totalFires(),
        forecast.spreading().peak(),
        forecast.spreading().text());
    return forecast;
  }

  /* A tenth with jitter and a fifth with H, whose fires depend on the key; intervals of all kinds. */
  private static ScheduleDraft draft(int number) {
    ScheduleDraft draft =
        ScheduleDraft.named("schedule-%06d".formatted(number))
            .target("log")
            .description("number " + number);
    String zone = ZONES.get(number % ZONES.size());
    int some = number / 10;
    return switch (number % 10) {
      case 0 -> draft.cron("0 * * * *", zone);
      case 1 -> draft.cron("0 2 * * *", zone);
      case 2 -> draft.cron("%d %d * * *".formatted(some % 60, some % 24), zone);
      case 3 -> draft.cron("H * * * *", zone);
      case 4 -> draft.cron("H/5 * * * *", zone);
      case 5 -> draft.every(Duration.ofSeconds(30 + 30 * (some % 20)));
      case 6 -> draft.every(Duration.ofMinutes(5), Instant.ofEpochSecond(some));
      case 7 -> draft.cron("*/15 * * * *", zone).jitter(Duration.ofMinutes(2));
      case 8 -> draft.cron("%d */2 * * MON-FRI".formatted(some % 60), zone);
      default -> draft.at(Instant.parse("2026-03-01T12:00:00Z").plusSeconds(some * 60L));
    };
  }
}
