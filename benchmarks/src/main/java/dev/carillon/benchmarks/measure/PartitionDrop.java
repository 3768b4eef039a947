package dev.carillon.benchmarks.measure;

import dev.carillon.bench.Contender;
import dev.carillon.bench.Drift;
import dev.carillon.bench.Heap;
import dev.carillon.bench.Lateness;
import dev.carillon.bench.ServerClock;
import dev.carillon.benchmarks.contender.Entrant;
import dev.carillon.store.run.HistoryStore;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;

/** Measures how late handlers start while a partition of the history is dropped. */
public record PartitionDrop(Entrant entrant, Database database, int schedules, int seconds) {
  private static final Duration SECOND = Duration.ofSeconds(1);

  /**
   * What was found.
   *
   * @param before lateness in the seconds before the drop
   * @param meanwhile lateness in the seconds that begin with the drop
   * @param droppedBytes the size of what was dropped
   * @param dropMillis how long dropping took, with all tries
   */
  public record Outcome(
      Drift.Outcome before, Drift.Outcome meanwhile, double droppedBytes, double dropMillis) {}

  Outcome measure() throws InterruptedException {
    Instant first =
        Instant.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(10 + schedules / 1_000);
    try (var pool = database.pool();
        Contender contender = entrant.open(pool)) {
      contender.addEverySecond(schedules, first);
    }
    database.settle();
    Instant from =
        (Instant.now().isBefore(first) ? first : Instant.now().plus(SECOND))
            .truncatedTo(ChronoUnit.SECONDS);
    Instant middle = from.plus(Trial.DRIFT_WARM_UP).plusSeconds(seconds);
    var before = new Lateness(schedules, from, Trial.DRIFT_WARM_UP, seconds, SECOND);
    var meanwhile = new Lateness(schedules, middle, Duration.ZERO, seconds, SECOND);
    ServerClock.Reading reading = ServerClock.read(database.sql());
    try (var pool = database.pool();
        Contender contender = entrant.open(pool)) {
      contender.start(
          (number, slot, attempt) -> {
            before.started(number, slot, attempt);
            meanwhile.started(number, slot, attempt);
          });
      sleepUntil(middle);
      double size = historyBytes();
      double millis = drop(new HistoryStore(new dev.carillon.store.jdbc.Database(pool)));
      double dropped = size - historyBytes();
      sleepUntil(middle.plusSeconds(seconds + 2));
      var clock = new ServerClock(reading, ServerClock.read(database.sql()));
      return new Outcome(
          before.outcome(clock, Heap.used()),
          meanwhile.outcome(clock, Heap.used()),
          dropped,
          millis);
    }
  }

  /* The oldest partition, as housekeeping would: until it succeeds. */
  private static double drop(HistoryStore history) throws InterruptedException {
    Instant oldest = Instant.now().minus(Duration.ofDays(HistoryFill.DAYS - 7));
    long start = System.nanoTime();
    while (!history.drop(oldest)) {
      TimeUnit.MILLISECONDS.sleep(500);
    }
    return (System.nanoTime() - start) / 1e6;
  }

  private double historyBytes() {
    return database
        .sql()
        .number(
            """
            select sum(pg_total_relation_size(relid))
              from pg_partition_tree('carillon.history')
             where isleaf
            """);
  }

  private static void sleepUntil(Instant at) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(Math.max(0, Duration.between(Instant.now(), at).toMillis()));
  }
}
