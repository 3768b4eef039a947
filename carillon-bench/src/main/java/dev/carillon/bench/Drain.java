package dev.carillon.bench;

import java.time.Duration;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;

/** Measures how fast a contender gets through runs that are all due before it starts. */
public record Drain(
    MeasuredDatabase database, Contenders contenders, String part, Progress progress) {
  private static final Duration STALL_TIMEOUT = Duration.ofSeconds(60);

  /**
   * What was found.
   *
   * @param runs how many there were
   * @param missing how many of them did not end
   * @param doubled how many starts were for a run that had one
   * @param perSecond runs per second, from the start of the node until the last end is committed
   * @param firstMillis from the start of the node until its first handler starts
   * @param commits per run
   * @param walBytes per run, written by the whole server; empty if the role may not know
   * @param heapBytes in use at the end
   */
  public record Outcome(
      int runs,
      int missing,
      long doubled,
      double perSecond,
      double firstMillis,
      double commits,
      OptionalDouble walBytes,
      long heapBytes) {}

  /** Add runs, tidy up, and measure how fast they are drained. */
  public Outcome measure(String what, int runs) throws InterruptedException {
    fill(what, runs);
    database.settle();
    return drain(what, runs);
  }

  /** Add runs that are due. */
  public void fill(String what, int runs) throws InterruptedException {
    progress.step(part, what + ": filling");
    try (var opened = contenders.open()) {
      opened
          .contender()
          .addDue(
              runs, added -> progress.at((double) added / runs, Figures.whole(added) + " runs"));
    }
  }

  /** Measure how fast the runs that were added are drained. */
  public Outcome drain(String what, int runs) throws InterruptedException {
    progress.step(part, what + ": draining");
    double commits = database.commits();
    OptionalDouble wal = database.walBytes();
    var starts = new Starts(runs);
    long begin;
    long missing;
    long end;
    OptionalDouble walAfter;
    long heapBytes;
    try (var opened = contenders.open()) {
      begin = System.nanoTime();
      opened.contender().start(starts);
      missing = await(opened.contender(), starts, runs, begin);
      end = System.nanoTime();
      walAfter = database.walBytes();
      heapBytes = Heap.used();
    }
    database.awaitSilence();
    var outcome =
        new Outcome(
            runs,
            Math.toIntExact(missing),
            starts.doubled(),
            (runs - missing) / seconds(begin, end),
            1e3 * seconds(begin, starts.firstStart()),
            (database.commits() - commits) / runs,
            wal.isPresent() && walAfter.isPresent()
                ? OptionalDouble.of((walAfter.getAsDouble() - wal.getAsDouble()) / runs)
                : OptionalDouble.empty(),
            heapBytes);
    progress.end(Figures.perSecond(outcome.perSecond(), "runs"));
    return outcome;
  }

  /* Returns how many runs have no committed end once all have ended, or nothing starts or ends any
   * more. Asking the contender costs the server something, so it is done at the end only. */
  private long await(Contender contender, Starts starts, int runs, long begin)
      throws InterruptedException {
    long changed = System.nanoTime();
    for (int started = 0; !starts.complete() && !isStalled(changed); ) {
      long now = System.nanoTime();
      if (starts.started() != started) {
        started = starts.started();
        changed = now;
      }
      progress.at(
          (double) started / runs, Figures.perSecond(started / seconds(begin, now), "runs"));
    }
    long unfinished = contender.unfinished();
    while (unfinished > 0 && !isStalled(changed)) {
      TimeUnit.MILLISECONDS.sleep(5);
      long left = contender.unfinished();
      if (left != unfinished) {
        unfinished = left;
        changed = System.nanoTime();
      }
    }
    return unfinished;
  }

  private static boolean isStalled(long changed) {
    return System.nanoTime() - changed > STALL_TIMEOUT.toNanos();
  }

  private static double seconds(long begin, long end) {
    return (end - begin) / 1e9;
  }
}
