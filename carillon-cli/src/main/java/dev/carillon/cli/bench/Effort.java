package dev.carillon.cli.bench;

import dev.carillon.bench.Drift;
import java.time.Duration;
import java.util.Locale;

/**
 * How much is measured. Bounded, since a bench keeps count of every run and fire in memory.
 *
 * @param runs how many runs are drained
 * @param rate how many schedules fire each second
 * @param seconds for how long they do
 * @param idle how many schedules are idle for growth
 */
public record Effort(int runs, int rate, int seconds, int idle) {
  private static final int MAX_RUNS = 10_000_000;
  private static final int MAX_RATE = 20_000;
  private static final int MAX_SECONDS = 600;
  private static final int MAX_FIRES = 4_000_000;
  private static final int MAX_IDLE = 10_000_000;
  private static final int WARM_UP_RUNS = 20_000;
  private static final int WARM_UP_SECONDS = 5;

  /** Enough for figures to rely on. */
  public static final Effort FULL = new Effort(100_000, 1_000, 20, 1_000_000);

  /** Enough for a first impression. */
  public static final Effort QUICK = new Effort(20_000, 1_000, 5, 100_000);

  public Effort {
    check("runs", runs, MAX_RUNS);
    check("rate", rate, MAX_RATE);
    check("seconds", seconds, MAX_SECONDS);
    check("idle", idle, MAX_IDLE);
    if ((long) rate * seconds > MAX_FIRES) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "--rate times --seconds must be at most %,d fires; was %,d",
              MAX_FIRES,
              (long) rate * seconds));
    }
  }

  int warmUpRuns() {
    return Math.min(runs, WARM_UP_RUNS);
  }

  Drift.Load drift() {
    return new Drift.Load(
        rate, Duration.ofSeconds(Math.min(seconds, WARM_UP_SECONDS)), seconds, true);
  }

  private static void check(String name, int value, int most) {
    if (value < 1 || value > most) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "--%s must be from 1 to %,d; was %,d", name, most, value));
    }
  }
}
