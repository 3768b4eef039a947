package dev.carillon.cli.bench;

import java.time.Duration;
import java.util.OptionalDouble;

/** Measures how fast a node gets through runs that are all due before it starts. */
record Drain(Scratch database, String part, Progress progress) {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

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
   */
  record Outcome(
      int runs,
      int missing,
      long doubled,
      double perSecond,
      double firstMillis,
      double commits,
      OptionalDouble walBytes) {}

  Outcome measure(String what, int runs) throws InterruptedException {
    fill(what, runs);
    progress.step(part, what + ": draining");
    double commits = database.commits();
    OptionalDouble wal = database.walBytes();
    var tally = new Tally(runs);
    long begin;
    long end;
    OptionalDouble walAfter;
    try (Node node = Node.on(database, tally, progress)) {
      begin = System.nanoTime();
      node.start();
      await(tally, runs, begin);
      end = System.nanoTime();
      walAfter = database.walBytes();
    }
    database.awaitSilence();
    var outcome =
        new Outcome(
            runs,
            tally.missing(),
            tally.doubled(),
            tally.done() / seconds(begin, end),
            1e3 * seconds(begin, tally.firstStart()),
            (database.commits() - commits) / runs,
            wal.isPresent() && walAfter.isPresent()
                ? OptionalDouble.of((walAfter.getAsDouble() - wal.getAsDouble()) / runs)
                : OptionalDouble.empty());
    progress.end(Figures.perSecond(outcome.perSecond(), "runs"));
    return outcome;
  }

  private void fill(String what, int runs) throws InterruptedException {
    progress.step(part, what + ": filling");
    Node.addDue(
        database,
        runs,
        progress,
        added -> progress.at((double) added / runs, Figures.whole(added) + " runs"));
    database.settle();
  }

  /* Gives up when nothing ends any more: what is missing then is part of the outcome. */
  private void await(Tally tally, int runs, long begin) throws InterruptedException {
    int done = 0;
    long changed = System.nanoTime();
    while (!tally.complete() && System.nanoTime() - changed < PATIENCE.toNanos()) {
      long now = System.nanoTime();
      if (tally.done() != done) {
        done = tally.done();
        changed = now;
      }
      progress.at((double) done / runs, Figures.perSecond(done / seconds(begin, now), "runs"));
    }
  }

  private static double seconds(long begin, long end) {
    return (end - begin) / 1e9;
  }
}
