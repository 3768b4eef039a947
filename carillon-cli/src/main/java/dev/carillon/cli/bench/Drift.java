package dev.carillon.cli.bench;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;

/** Measures how late handlers start when many schedules share every whole second. */
record Drift(Scratch database, String part, String what, Progress progress) {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int PREPARING_SECONDS = 4;
  private static final int SCHEDULES_PER_SECOND = 1_000;

  /**
   * What was found.
   *
   * @param schedules how many fired each second
   * @param seconds for how long
   * @param fired how many of the slots had their handler started
   * @param skipped how many have a recorded reason why not: the one before was not over
   * @param doubled how many starts were for a slot that had one
   * @param early how many starts were before their slot, by the database's clock
   * @param p50 the lateness in milliseconds that half of the fires keep to
   * @param p99 the one that 99 % keep to
   * @param max the longest
   */
  record Outcome(
      int schedules,
      int seconds,
      int fired,
      long skipped,
      long doubled,
      int early,
      double p50,
      double p99,
      double max) {

    int expected() {
      return schedules * seconds;
    }

    /** Return how many slots neither fired nor have a recorded reason why not. */
    long missing() {
      return Math.max(0, expected() - fired - skipped);
    }
  }

  Outcome measure(Effort effort) throws InterruptedException {
    progress.step(part, what + "adding schedules");
    ServerClock.Reading before = ServerClock.read(database.sql());
    Instant first =
        before
            .time()
            .truncatedTo(ChronoUnit.SECONDS)
            .plusSeconds(PREPARING_SECONDS + effort.rate() / SCHEDULES_PER_SECOND);
    Instant from = first.plusSeconds(effort.warmUpSeconds());
    Instant end = from.plusSeconds(effort.seconds());
    Node.addEverySecond(database, effort.rate(), first, end.minusSeconds(1), progress);
    database.settle();
    var lateness = new Lateness(effort.rate(), from, effort.seconds());
    try (Node node = Node.on(database, lateness, progress)) {
      node.start();
      if (now(before).isAfter(from)) {
        throw new BenchException(
            "the server needed longer than %s to store %s schedules; try a smaller --rate"
                .formatted(
                    Figures.seconds(Duration.between(before.time(), from).toMillis() / 1e3),
                    Figures.whole(effort.rate())));
      }
      await(lateness, before, first, from, end);
    }
    var clock = new ServerClock(before, ServerClock.read(database.sql()));
    Outcome outcome = lateness.outcome(clock);
    progress.end("p99 " + Figures.millis(outcome.p99()));
    return outcome;
  }

  /* Waits for fires that are merely late, until none has come for a while. */
  private void await(
      Lateness lateness, ServerClock.Reading clock, Instant first, Instant from, Instant end)
      throws InterruptedException {
    progress.step(part, what + "firing");
    long settled = 0;
    Instant changed = end;
    while (lateness.settled() < lateness.expected()
        && now(clock).isBefore(changed.plus(PATIENCE))) {
      TimeUnit.MILLISECONDS.sleep(100);
      Instant now = now(clock);
      if (lateness.settled() != settled && now.isAfter(end)) {
        settled = lateness.settled();
        changed = now;
      }
      boolean warm = now.isAfter(from);
      progress.at(
          (double) Duration.between(first, now).toMillis()
              / Duration.between(first, end).toMillis(),
          warm ? Figures.whole(lateness.fired()) + " fires" : "warming up");
    }
  }

  private static Instant now(ServerClock.Reading clock) {
    return clock.time().plusNanos(System.nanoTime() - clock.nanos());
  }
}
