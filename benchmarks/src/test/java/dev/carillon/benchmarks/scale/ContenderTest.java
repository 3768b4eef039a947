package dev.carillon.benchmarks.scale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.postgres.LocalPostgres;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** What is measured has to be the same for all entrants. */
class ContenderTest {
  private static final long PATIENCE_SECONDS = 120;

  private static LocalPostgres postgres;

  @BeforeAll
  static void start() {
    postgres = LocalPostgres.temporary();
  }

  @AfterAll
  static void stop() {
    postgres.close();
  }

  @ParameterizedTest
  @EnumSource(names = "LOCK_AND_FETCH_20_CRON", mode = Mode.EXCLUDE)
  void every_due_run_starts_and_no_idle_schedule_does(Entrant entrant) throws Exception {
    Set<Integer> started = ConcurrentHashMap.newKeySet();
    var left = new CountDownLatch(200);
    try (var pool = empty(entrant).pool();
        Contender contender = entrant.open(pool)) {
      contender.install();
      contender.addIdle(100);
      contender.addDue(200);
      assertThat(contender.drained()).isFalse();
      contender.start(
          (number, slot) -> {
            started.add(number);
            left.countDown();
          });
      assertThat(left.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    }
    try (var pool = database(entrant.toString()).pool();
        Contender contender = entrant.open(pool)) {
      assertThat(contender.drained()).isTrue();
    }
    assertThat(started)
        .isEqualTo(IntStream.range(0, 200).boxed().collect(Collectors.toUnmodifiableSet()));
  }

  private static Database empty(Entrant entrant) {
    database("postgres").sql().run("create database \"" + entrant + "\"");
    return database(entrant.toString());
  }

  private static Database database(String name) {
    return new Database(postgres.jdbcUrl(name), postgres.user(), postgres.password());
  }
}
