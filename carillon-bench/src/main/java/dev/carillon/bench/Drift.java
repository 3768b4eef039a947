package dev.carillon.bench;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** Measures how late handlers start when many schedules share every whole second. */
public record Drift(
    MeasuredDatabase database, Contenders contenders, String part, String what, Progress progress) {
  private static final Duration STALL_TIMEOUT = Duration.ofSeconds(10);
  private static final int PREPARING_SECONDS = 5;
  private static final int MAX_PREPARING_SECONDS = 1_000;
  private static final int SCHEDULES_PER_SECOND = 1_000;

  /**
   * How much fires.
   *
   * @param schedules how many share every second
   * @param warmUp for how long they fire before it counts
   * @param seconds for how long they do after that
   * @param awaitLate whether to wait for fires that are merely late, until none comes for a while;
   *     else what has not started two periods after the end counts as not fired
   */
  public record Load(int schedules, Duration warmUp, int seconds, boolean awaitLate) {}

  /**
   * What was found.
   *
   * @param schedules how many fired each second
   * @param seconds for how long
   * @param expected how many slots there were
   * @param fired how many of the slots had their handler started
   * @param skipped how many have a recorded reason why not: the one before was not over
   * @param doubled how many starts were for a slot that had one
   * @param early how many starts were before their slot, by the database's clock
   * @param p50 the lateness in milliseconds that half of the fires keep to
   * @param p99 the one that 99 % keep to
   * @param max the longest
   * @param endP99 the one that 99 % of those in the last ten seconds keep to
   * @param heapBytes in use at the end
   */
  public record Outcome(
      int schedules,
      int seconds,
      int expected,
      int fired,
      long skipped,
      long doubled,
      int early,
      double p50,
      double p99,
      double max,
      double endP99,
      long heapBytes) {

    /** Return how many slots neither fired nor have a recorded reason why not. */
    public long missing() {
      return Math.max(0, expected - fired - skipped);
    }

    /** Return whether every slot had one start, and none before its time. */
    public boolean exact() {
      return fired == expected && doubled == 0 && early == 0;
    }
  }

  /* When schedules fire: the first slot, the first that counts, and the first that does not any more. */
  private record Stretch(Instant first, Instant from, Instant end, Duration period) {
    static Stretch starting(Instant first, Load load, Duration period) {
      Instant from = first.plus(load.warmUp);
      return new Stretch(first, from, from.plusSeconds(load.seconds), period);
    }

    double shareAt(Instant now) {
      return (double) Duration.between(first, now).toMillis()
          / Duration.between(first, end).toMillis();
    }
  }

  /** Measure, and remove the schedules afterwards if the database is still needed. */
  public Outcome measure(Load load, boolean remove) throws InterruptedException {
    ServerClock.Reading before = ServerClock.read(database.sql());
    Stretch stretch = prepare(load, before);
    Outcome outcome = measure(load, stretch, before);
    if (remove) {
      remove(load, stretch);
    }
    return outcome;
  }

  private Outcome measure(Load load, Stretch stretch, ServerClock.Reading before)
      throws InterruptedException {
    var lateness =
        new Lateness(load.schedules, stretch.first, load.warmUp, load.seconds, stretch.period);
    progress.step(part, what + "firing");
    long heapBytes;
    try (var opened = contenders.open(lateness)) {
      opened.contender().start(lateness);
      await(load, lateness, before, stretch);
      heapBytes = Heap.used();
    }
    var clock = new ServerClock(before, ServerClock.read(database.sql()));
    Outcome outcome = lateness.outcome(clock, heapBytes);
    progress.end("p99 " + Figures.millis(outcome.p99()));
    return outcome;
  }

  /* Schedules stored only after their first slot are removed, and others follow. */
  private Stretch prepare(Load load, ServerClock.Reading clock) throws InterruptedException {
    progress.step(part, what + "adding schedules");
    Instant begin = clock.now();
    database.settle();
    int settling = seconds(begin, clock.now());
    int seconds = PREPARING_SECONDS + load.schedules / SCHEDULES_PER_SECOND + 2 * settling;
    while (seconds < MAX_PREPARING_SECONDS) {
      Stretch stretch = add(load, clock.now().plusSeconds(seconds));
      database.settle();
      if (clock.now().isBefore(stretch.first)) {
        return stretch;
      }
      seconds = 2 * (seconds + seconds(stretch.first, clock.now())) + load.seconds;
      remove(load, stretch);
    }
    throw new BenchException(
        "storing %s schedules takes this server minutes; try a smaller --rate"
            .formatted(Figures.whole(load.schedules)));
  }

  private static int seconds(Instant from, Instant to) {
    return Math.toIntExact(Duration.between(from, to).toSeconds());
  }

  private Stretch add(Load load, Instant after) throws InterruptedException {
    try (var opened = contenders.open()) {
      Duration period = opened.contender().period();
      Stretch stretch = Stretch.starting(nextMultiple(after, period), load, period);
      opened.contender().addEverySecond(load.schedules, stretch.first);
      return stretch;
    }
  }

  private void remove(Load load, Stretch stretch) throws InterruptedException {
    try (var opened = contenders.open()) {
      opened.contender().removeEverySecond(load.schedules, stretch.first);
    }
  }

  /** Return the next multiple of {@code step}, counted from the epoch, after {@code moment}. */
  public static Instant nextMultiple(Instant moment, Duration step) {
    long steps = moment.getEpochSecond() / step.toSeconds() + 1;
    return Instant.ofEpochSecond(steps * step.toSeconds());
  }

  private void await(Load load, Lateness lateness, ServerClock.Reading clock, Stretch stretch)
      throws InterruptedException {
    long settled = 0;
    Instant giveUp =
        stretch.end.plus(load.awaitLate ? STALL_TIMEOUT : stretch.period.multipliedBy(2));
    for (Instant now = clock.now();
        now.isBefore(giveUp) && !(load.awaitLate && lateness.settled() >= lateness.expected());
        now = clock.now()) {
      TimeUnit.MILLISECONDS.sleep(100);
      if (load.awaitLate && lateness.settled() != settled && now.isAfter(stretch.end)) {
        settled = lateness.settled();
        giveUp = now.plus(STALL_TIMEOUT);
      }
      progress.at(stretch.shareAt(now), seen(lateness, stretch, now));
    }
  }

  private static String seen(Lateness lateness, Stretch stretch, Instant now) {
    if (now.isBefore(stretch.first)) {
      return "waiting for the first slot";
    }
    return now.isBefore(stretch.from) ? "warming up" : Figures.whole(lateness.fired()) + " fires";
  }
}
