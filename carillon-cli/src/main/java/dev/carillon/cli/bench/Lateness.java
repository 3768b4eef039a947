package dev.carillon.cli.bench;

import dev.carillon.event.Event;
import dev.carillon.model.Dropped;
import dev.carillon.model.RunState;
import dev.carillon.target.RunContext;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * Keeps count of schedules that each fire at every whole second of a stretch; what is outside of it
 * does not count.
 */
final class Lateness implements Node.Witness {
  private final Instant from;
  private final int seconds;
  /* For each slot, when its handler started, by nanoTime; 0 as long as nobody came. */
  private final AtomicLongArray starts;
  private final AtomicLong fired = new AtomicLong();
  private final LongAdder skipped = new LongAdder();
  private final LongAdder doubled = new LongAdder();

  Lateness(int schedules, Instant from, int seconds) {
    this.starts = new AtomicLongArray(Math.multiplyExact(schedules, seconds));
    this.from = from;
    this.seconds = seconds;
  }

  @Override
  public void ring(int number, RunContext context) {
    ring(number, context.slot(), context.attempt(), System.nanoTime());
  }

  /* A later attempt is no double: at least once is what is promised when a node loses its lease. */
  void ring(int number, Instant slot, int attempt, long nanos) {
    if (!counts(slot)) {
      return;
    }
    int index = number * seconds + (int) Duration.between(from, slot).toSeconds();
    if (starts.compareAndSet(index, 0, nanos == 0 ? 1 : nanos)) {
      fired.incrementAndGet();
    } else if (attempt == 1) {
      doubled.increment();
    }
  }

  @Override
  public void on(Event event) {
    if (event instanceof Event.Finished finished
        && finished.state() == RunState.SKIPPED
        && counts(finished.dueAt())) {
      skipped.increment();
    } else if (event instanceof Event.Planned planned) {
      planned.dropped().forEach(dropped -> skipped.add(counted(dropped)));
    }
  }

  private boolean counts(Instant slot) {
    return !slot.isBefore(from) && slot.isBefore(from.plusSeconds(seconds));
  }

  private long counted(Dropped dropped) {
    Instant first = dropped.first().isBefore(from) ? from : dropped.first();
    Instant end = from.plusSeconds(seconds - 1L);
    Instant last = dropped.last().isAfter(end) ? end : dropped.last();
    return Math.max(0, 1 + Duration.between(first, last).toSeconds());
  }

  int expected() {
    return starts.length();
  }

  long fired() {
    return fired.get();
  }

  /** Return how many slots have fired, or have a recorded reason why they do not. */
  long settled() {
    return fired() + skipped.sum();
  }

  /** Return what was found, by the database's clock. */
  Drift.Outcome outcome(ServerClock clock) {
    double[] late = new double[Math.toIntExact(fired())];
    int seen = 0;
    int early = 0;
    Duration doubt = clock.uncertainty().negated();
    for (int i = 0; i < starts.length(); i++) {
      long start = starts.get(i);
      if (start != 0 && seen < late.length) {
        Duration lateness = Duration.between(from.plusSeconds(i % seconds), clock.at(start));
        early += lateness.compareTo(doubt) < 0 ? 1 : 0;
        late[seen++] = Math.max(0, lateness.toNanos() / 1e6);
      }
    }
    Arrays.sort(late);
    return new Drift.Outcome(
        starts.length() / seconds,
        seconds,
        seen,
        skipped.sum(),
        doubled.sum(),
        early,
        share(late, 0.50),
        share(late, 0.99),
        share(late, 1));
  }

  /** Return the smallest lateness that at least this {@code share} of the sorted ones keeps to. */
  private static double share(double[] sorted, double share) {
    return sorted.length == 0 ? Double.NaN : sorted[(int) Math.ceil(share * sorted.length) - 1];
  }
}
