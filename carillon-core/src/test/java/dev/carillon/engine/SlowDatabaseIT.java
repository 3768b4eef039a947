package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.carillon.Carillon;
import dev.carillon.ScheduleDraft;
import dev.carillon.fixture.Await;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.FaultProxy;
import dev.carillon.fixture.PostgresServer;
import dev.carillon.fixture.Psql;
import dev.carillon.policy.Overlap;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A scheduler with default settings, far from its database. For longer than a few seconds: {@code
 * -Dslow.database.seconds=600}.
 */
@ExtendWith(EmbeddedPostgres.class)
class SlowDatabaseIT {
  private static final Duration ROUND_TRIP = Duration.ofMillis(200);
  private static final Duration LATEST = Duration.ofMillis(1_500);
  private static final long SECONDS = Long.getLong("slow.database.seconds", 20);

  private static final int RUNS_AT_REST = 3;

  @Test
  void a_run_each_second_starts_within_a_second_and_a_half_when_round_trips_take_200_ms(
      PostgresServer server) throws Exception {
    String database = server.createMigrated();
    var psql = new Psql(server.dataSource(database));
    try (FaultProxy proxy = FaultProxy.before(server.port());
        HikariDataSource pool = pool(proxy, server, database);
        Carillon carillon =
            Carillon.builder().dataSource(pool).target("bell", context -> {}).build().start()) {
      carillon
          .schedules()
          .createAll(
              List.of(everySecond("allow", Overlap.ALLOW), everySecond("queue", Overlap.QUEUE)));
      Await.until("the first runs ended", () -> ended(psql) >= RUNS_AT_REST);
      proxy.delay(ROUND_TRIP);
      TimeUnit.SECONDS.sleep(SECONDS); // that it goes on is the point: there is no end to wait for
      proxy.delay(Duration.ZERO);
    }

    assertThat(ended(psql)).isGreaterThan(2 * (SECONDS - 2));
    assertThat(
            psql.rows(
                """
                select schedule.key, history.slot, history.state, history.started_at - history.due_at as late
                  from carillon.history
                  join carillon.schedule
                    on schedule.id = history.schedule_id
                 where history.started_at - history.due_at > interval '%s ms'
                    or history.state <> 'succeeded'
                 order by history.slot, schedule.key
                """
                    .formatted(LATEST.toMillis())))
        .isEmpty();
  }

  private static ScheduleDraft everySecond(String key, Overlap overlap) {
    return ScheduleDraft.named(key).target("bell").every(Duration.ofSeconds(1)).overlap(overlap);
  }

  private static long ended(Psql psql) {
    return Long.parseLong(psql.rows("select count(*) from carillon.history").get(0));
  }

  private static HikariDataSource pool(FaultProxy proxy, PostgresServer server, String database) {
    var settings = new HikariConfig();
    settings.setDataSource(proxy.dataSource(server, database));
    return new HikariDataSource(settings);
  }
}
