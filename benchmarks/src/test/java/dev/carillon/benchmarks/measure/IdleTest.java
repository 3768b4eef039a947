package dev.carillon.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.bench.Contender;
import dev.carillon.benchmarks.contender.Entrant;
import dev.carillon.postgres.LocalPostgres;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class IdleTest {
  private static LocalPostgres postgres;

  @BeforeAll
  static void start() {
    postgres = LocalPostgres.temporary();
  }

  @AfterAll
  static void stop() {
    postgres.close();
  }

  @Test
  void the_time_of_the_server_includes_that_of_sessions_that_ended() {
    var server = ServerTime.of(database());
    Duration before = server.used();

    database().sql().number("select count(*) from generate_series(1, 1000000)");

    assertThat(server.used().minus(before)).isGreaterThanOrEqualTo(Duration.ofMillis(20));
  }

  @Test
  void a_start_ends_with_the_first_handler() throws Exception {
    try (var pool = database().pool();
        Contender contender = Entrant.CARILLON.open(pool)) {
      contender.install();
      contender.addDue(1, added -> {});
    }

    var outcome = new ColdStart(Entrant.CARILLON, database(), 0).measure();

    assertThat(outcome.millis()).isPositive();
    assertThat(outcome.jvmMillis()).isGreaterThan(outcome.millis());
  }

  private static Database database() {
    return new Database(postgres.jdbcUrl("postgres"), postgres.user(), postgres.password());
  }
}
