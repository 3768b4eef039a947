package dev.carillon.benchmarks.scale;

import dev.carillon.store.HistoryStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;

/** Measures how late handlers start while a partition of the history is dropped. */
record PartitionDrop(Entrant entrant, Database database, int schedules, int seconds) {
  private static final Duration SECOND = Duration.ofSeconds(1);

  /**
   * What was found.
   *
   * @param before lateness in the seconds before the drop
   * @param meanwhile lateness in the seconds that begin with the drop
   * @param droppedBytes the size of what was dropped
   * @param dropMillis how long dropping took, with all tries
   */
  record Outcome(
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
    Instant middle = from.plus(Drift.WARM_UP).plusSeconds(seconds);
    var before =
        new Lateness(schedules, from, Drift.WARM_UP, seconds, SECOND, InstantSource.system());
    var meanwhile = new Lateness(schedules, middle, seconds);
    try (var pool = database.pool();
        Contender contender = entrant.open(pool)) {
      contender.start(
          (number, slot) -> {
            before.ring(number, slot);
            meanwhile.ring(number, slot);
          });
      sleepUntil(middle);
      double size = historyBytes();
      double millis = drop(new HistoryStore(new dev.carillon.store.Database(pool)));
      double dropped = size - historyBytes();
      sleepUntil(middle.plusSeconds(seconds + 2));
      return new Outcome(
          before.outcome(Heap.used()), meanwhile.outcome(Heap.used()), dropped, millis);
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
