package dev.carillon.cli.bench;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;

/** Measures how late handlers start when many schedules share every whole second. */
record Drift(Scratch database, String part, String what, Progress progress) {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int PREPARING_SECONDS = 3;
  private static final int LONGEST_PREPARING_SECONDS = 1_000;
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

  /**
   * When schedules fire.
   *
   * @param first the first slot
   * @param from the first slot that counts
   * @param end the first second without a slot
   */
  private record Stretch(Instant first, Instant from, Instant end) {
    static Stretch in(int seconds, Instant now, Effort effort) {
      Instant first = now.truncatedTo(ChronoUnit.SECONDS).plusSeconds(seconds);
      Instant from = first.plusSeconds(effort.warmUpSeconds());
      return new Stretch(first, from, from.plusSeconds(effort.seconds()));
    }

    double shareAt(Instant now) {
      return (double) Duration.between(first, now).toMillis()
          / Duration.between(first, end).toMillis();
    }
  }

  Outcome measure(Effort effort) throws InterruptedException {
    progress.step(part, what + "adding schedules");
    ServerClock.Reading before = ServerClock.read(database.sql());
    Stretch stretch = prepare(effort, before);
    var lateness = new Lateness(effort.rate(), stretch.from(), effort.seconds());
    progress.step(part, what + "firing");
    try (Node node = Node.on(database, lateness, progress)) {
      node.start();
      await(lateness, before, stretch);
    }
    var clock = new ServerClock(before, ServerClock.read(database.sql()));
    Outcome outcome = lateness.outcome(clock);
    progress.end("p99 " + Figures.millis(outcome.p99()));
    return outcome;
  }

  /* Schedules stored only after their first slot are left to pass unheard, and others follow. */
  private Stretch prepare(Effort effort, ServerClock.Reading clock) throws InterruptedException {
    int seconds = PREPARING_SECONDS + effort.rate() / SCHEDULES_PER_SECOND;
    while (seconds < LONGEST_PREPARING_SECONDS) {
      Stretch stretch = Stretch.in(seconds, now(clock), effort);
      Node.addEverySecond(
          database, effort.rate(), stretch.first(), stretch.end().minusSeconds(1), progress);
      database.settle();
      if (now(clock).isBefore(stretch.first())) {
        return stretch;
      }
      Duration late = Duration.between(stretch.first(), now(clock));
      seconds = 2 * (seconds + Math.toIntExact(late.toSeconds())) + effort.seconds();
    }
    throw new BenchException(
        "storing %s schedules takes this server minutes; try a smaller --rate"
            .formatted(Figures.whole(effort.rate())));
  }

  /* Waits for fires that are merely late, until none has come for a while. */
  private void await(Lateness lateness, ServerClock.Reading clock, Stretch stretch)
      throws InterruptedException {
    long settled = 0;
    Instant changed = stretch.end();
    while (lateness.settled() < lateness.expected()
        && now(clock).isBefore(changed.plus(PATIENCE))) {
      TimeUnit.MILLISECONDS.sleep(100);
      Instant now = now(clock);
      if (lateness.settled() != settled && now.isAfter(stretch.end())) {
        settled = lateness.settled();
        changed = now;
      }
      progress.at(
          stretch.shareAt(now),
          now.isBefore(stretch.first())
              ? "waiting for the first slot"
              : now.isBefore(stretch.from())
                  ? "warming up"
                  : Figures.whole(lateness.fired()) + " fires");
    }
  }

  private static Instant now(ServerClock.Reading clock) {
    return clock.time().plusNanos(System.nanoTime() - clock.nanos());
  }
}
