package dev.carillon.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.bench.Contender;
import dev.carillon.benchmarks.contender.Entrant;
import dev.carillon.postgres.LocalPostgres;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
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
  private static final long MAX_WAIT_SECONDS = 120;

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
      contender.addIdle(100, added -> {});
      contender.addDue(200, added -> {});
      assertThat(contender.unfinished()).isEqualTo(200);
      contender.start(
          (number, slot, attempt) -> {
            started.add(number);
            left.countDown();
          });
      assertThat(left.await(MAX_WAIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    }
    try (var pool = database(entrant.toString()).pool();
        Contender contender = entrant.open(pool)) {
      assertThat(contender.unfinished()).isZero();
    }
    assertThat(started)
        .isEqualTo(IntStream.range(0, 200).boxed().collect(Collectors.toUnmodifiableSet()));
  }

  @ParameterizedTest
  @EnumSource(names = {"CARILLON", "LOCK_AND_FETCH_20"})
  void what_fires_every_second_can_be_removed_and_added_again(Entrant entrant) throws Exception {
    Set<Instant> slots = ConcurrentHashMap.newKeySet();
    var left = new CountDownLatch(20);
    try (var pool = empty(entrant, "repeated").pool();
        Contender contender = entrant.open(pool)) {
      contender.install();
      Instant first = inSeconds(1);
      contender.addEverySecond(10, first);
      contender.removeEverySecond(10, first);
      Instant later = inSeconds(8);
      contender.addEverySecond(10, later);
      contender.start(
          (number, slot, attempt) -> {
            slots.add(slot);
            left.countDown();
          });
      assertThat(Instant.now()).as("the start, before the first slot").isBefore(later);
      assertThat(left.await(MAX_WAIT_SECONDS, TimeUnit.SECONDS)).isTrue();
      assertThat(slots).contains(later).noneMatch(slot -> slot.isBefore(later));
    }
  }

  private static Instant inSeconds(int seconds) {
    return Instant.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(seconds);
  }

  private static Database empty(Entrant entrant) {
    return empty(entrant, "");
  }

  private static Database empty(Entrant entrant, String suffix) {
    database("postgres").sql().run("create database \"%s%s\"".formatted(entrant, suffix));
    return database(entrant + suffix);
  }

  private static Database database(String name) {
    return new Database(postgres.jdbcUrl(name), postgres.user(), postgres.password());
  }
}
