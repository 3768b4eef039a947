package dev.carillon.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.bench.Contender;
import dev.carillon.bench.Drift;
import dev.carillon.benchmarks.contender.Entrant;
import dev.carillon.postgres.LocalPostgres;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Schedules that fire together do so at the same slots, whichever entrant fires them. */
class FleetTest {
  private static final long MAX_WAIT_SECONDS = 120;

  private static LocalPostgres postgres;

  private record Fire(int number, Instant slot) {}

  @BeforeAll
  static void start() {
    postgres = LocalPostgres.temporary();
  }

  @AfterAll
  static void stop() {
    postgres.close();
  }

  @ParameterizedTest
  @EnumSource(
      names = {"LOCK_AND_FETCH_10", "FETCH", "JOBRUNR", "RAW_DRAIN", "RAW_LIFE"},
      mode = Mode.EXCLUDE)
  void slots_fall_on_every_whole_second(Entrant entrant) throws Exception {
    Fires fires = fires(entrant);

    assertThat(fires.seen())
        .contains(new Fire(0, fires.first()), new Fire(1, fires.first()))
        .extracting(Fire::slot)
        .allMatch(slot -> slot.equals(slot.truncatedTo(ChronoUnit.SECONDS)));
  }

  @Test
  void slots_of_jobrunr_fall_on_every_fifth_second_from_its_start() throws Exception {
    assertThat(fires(Entrant.JOBRUNR).seen())
        .extracting(Fire::slot)
        .allMatch(slot -> slot.toEpochMilli() % 5_000 == 0);
  }

  private record Fires(Instant first, Set<Fire> seen) {}

  /**
   * Let two schedules fire until they did so four times, from a slot that no entrant is late for.
   */
  private static Fires fires(Entrant entrant) throws InterruptedException {
    Set<Fire> seen = ConcurrentHashMap.newKeySet();
    var left = new CountDownLatch(4);
    try (var pool = empty(entrant).pool();
        Contender contender = entrant.open(pool)) {
      contender.install();
      Instant first = Drift.nextMultiple(Instant.now().plusSeconds(5), contender.period());
      contender.addEverySecond(2, first);
      contender.start(
          (number, slot, attempt) -> {
            seen.add(new Fire(number, slot));
            left.countDown();
          });
      assertThat(Instant.now()).as("the start, before the first slot").isBefore(first);
      assertThat(left.await(MAX_WAIT_SECONDS, TimeUnit.SECONDS)).isTrue();
      return new Fires(first, seen);
    }
  }

  private static Database empty(Entrant entrant) {
    database("postgres").sql().run("create database \"" + entrant + "\"");
    return database(entrant.toString());
  }

  private static Database database(String name) {
    return new Database(postgres.jdbcUrl(name), postgres.user(), postgres.password());
  }
}
