package dev.carillon.benchmarks.measure;

import dev.carillon.bench.Contender;
import dev.carillon.bench.Sql;
import dev.carillon.benchmarks.contender.Entrant;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** One of the nodes that share a database, in a process of its own. */
public final class ClusterNode {
  private static final int WARM_UPS = 3;
  private static final int WARM_UP_JOBS_EACH = 100_000;
  private static final Duration WARM_UP = Duration.ofSeconds(5);
  private static final Duration GRACE = Duration.ofSeconds(2);

  private final Entrant entrant;
  private final Database database;
  private final Barrier barrier;

  ClusterNode(Entrant entrant, Database database) {
    this.entrant = entrant;
    this.database = database;
    // A connection costs PostgreSQL more than a hundred runs do, and the barrier is asked often.
    this.barrier = new Barrier(Sql.on(database.openPool(1)), UUID.randomUUID());
  }

  /**
   * A node's part of a drain.
   *
   * @param startedMillis when it began, since 1970
   * @param endedMillis when it found that nothing was left
   * @param runs how many runs it started
   */
  public record Drained(long startedMillis, long endedMillis, long runs) {}

  /**
   * A node's part of the slots of every second.
   *
   * @param latenessMicros how late each handler that it started was
   */
  public record Fired(List<Integer> latenessMicros) {}

  Drained drain(int jobs) throws InterruptedException {
    boolean first = barrier.isFirst();
    warmUp(first);
    return drain("drain", first, jobs);
  }

  /* Every JVM must have compiled its frequent code, however many share the work, and that of a start:
   * four compilers at work take the time of many runs. */
  private void warmUp(boolean first) throws InterruptedException {
    for (int round = 1; round <= WARM_UPS; round++) {
      drain("warm-up " + round, first, WARM_UP_JOBS_EACH * barrier.nodes());
    }
  }

  private Drained drain(String step, boolean first, int jobs) throws InterruptedException {
    try (var pool = database.pool();
        Contender contender = entrant.open(pool)) {
      if (first) {
        contender.addDue(jobs, added -> {});
        database.sql().run("vacuum (analyze)");
        database.sql().run("checkpoint");
      }
      System.gc();
      barrier.await(step);
      var runs = new LongAdder();
      long started = System.currentTimeMillis();
      contender.start((number, slot, attempt) -> runs.increment());
      for (long done = 0; done < jobs; done = barrier.count(step, runs.sum())) {
        TimeUnit.MILLISECONDS.sleep(done < 0.9 * jobs ? 200 : 20); // each count is a commit
      }
      while (contender.unfinished() > 0) { // counts what is left, so it is asked at the end only
        TimeUnit.MILLISECONDS.sleep(20);
      }
      barrier.await("the end of the " + step);
      return new Drained(started, System.currentTimeMillis(), runs.sum());
    }
  }

  Fired fire(int schedules, int seconds) throws InterruptedException {
    boolean first = barrier.isFirst();
    warmUp(first);
    if (first) {
      prepare(schedules);
    }
    barrier.await("preparations");
    Instant from =
        Instant.ofEpochSecond((long) database.sql().number("select first from public.slots"))
            .plus(WARM_UP);
    Instant until = from.plusSeconds(seconds);
    var lateness = new ConcurrentLinkedQueue<Integer>();
    try (var pool = database.pool();
        Contender contender = entrant.open(pool)) {
      contender.start(
          (number, slot, attempt) -> {
            if (!slot.isBefore(from) && slot.isBefore(until)) {
              lateness.add((int) (Duration.between(slot, Instant.now()).toNanos() / 1_000));
            }
          });
      TimeUnit.MILLISECONDS.sleep(
          Math.max(0, Duration.between(Instant.now(), until.plus(GRACE)).toMillis()));
      return new Fired(List.copyOf(lateness));
    }
  }

  private void prepare(int schedules) throws InterruptedException {
    Instant first =
        Instant.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(15 + schedules / 1_000);
    try (var pool = database.pool();
        Contender contender = entrant.open(pool)) {
      contender.addEverySecond(schedules, first);
    }
    database.sql().run("create table public.slots (first bigint)");
    database.sql().run("insert into public.slots values (?)", first.getEpochSecond());
    database.sql().run("vacuum (analyze)");
  }
}
