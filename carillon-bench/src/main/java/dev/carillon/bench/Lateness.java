package dev.carillon.bench;

import dev.carillon.event.Event;
import dev.carillon.event.Listener;
import dev.carillon.model.RunState;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * How late each slot of each schedule was; slots outside of the measured seconds do not count.
 * Those of the warm-up are recorded like the others, so that the JVM has compiled the code that
 * does it when it matters.
 */
public final class Lateness implements StartListener, Listener {
  private static final Duration END = Duration.ofSeconds(10);

  private final Instant first;
  private final Duration period;
  private final int seconds;
  private final int warmUpSlots;
  private final int slotsEach;
  /* For each slot, when its handler started, by nanoTime; 0 as long as it has not. */
  private final AtomicLongArray starts;
  private final AtomicLong fired = new AtomicLong();
  private final LongAdder skipped = new LongAdder();
  private final LongAdder doubled = new LongAdder();

  /** Measure {@code seconds} after a {@code warmUp} that begins at {@code first}. */
  public Lateness(int schedules, Instant first, Duration warmUp, int seconds, Duration period) {
    this.first = first;
    this.period = period;
    this.seconds = seconds;
    this.warmUpSlots = (int) warmUp.dividedBy(period);
    this.slotsEach = warmUpSlots + (int) Duration.ofSeconds(seconds).dividedBy(period);
    this.starts = new AtomicLongArray(Math.multiplyExact(schedules, slotsEach));
  }

  @Override
  public void started(int number, Instant slot, int attempt) {
    started(number, slot, attempt, System.nanoTime());
  }

  /* A later attempt is no double: at least once is what is promised when a node loses its lease. */
  void started(int number, Instant slot, int attempt, long nanos) {
    long ordinal = ordinal(slot);
    if (ordinal < 0 || ordinal >= slotsEach) {
      return;
    }
    boolean isNew =
        starts.compareAndSet(number * slotsEach + (int) ordinal, 0, nanos == 0 ? 1 : nanos);
    if (ordinal >= warmUpSlots && isNew) {
      fired.incrementAndGet();
    } else if (ordinal >= warmUpSlots && attempt == 1) {
      doubled.increment();
    }
  }

  @Override
  public void on(Event event) {
    if (event instanceof Event.Finished finished && finished.state() == RunState.SKIPPED) {
      skip(finished.dueAt(), finished.dueAt());
    } else if (event instanceof Event.Planned planned) {
      planned.dropped().forEach(droppedSlots -> skip(droppedSlots.first(), droppedSlots.last()));
    }
  }

  private void skip(Instant from, Instant through) {
    long begin = Math.max(warmUpSlots, ordinal(from));
    long end = Math.min(slotsEach - 1, ordinal(through));
    skipped.add(Math.max(0, 1 + end - begin));
  }

  private long ordinal(Instant slot) {
    return Math.floorDiv(Duration.between(first, slot).toNanos(), period.toNanos());
  }

  int expected() {
    return starts.length() / slotsEach * (slotsEach - warmUpSlots);
  }

  long fired() {
    return fired.get();
  }

  /** Return how many slots have fired, or have a recorded reason why they do not. */
  long settled() {
    return fired() + skipped.sum();
  }

  /** Return what was found, by the database's clock. */
  public Drift.Outcome outcome(ServerClock clock, long heapBytes) {
    double[] late = millisFrom(warmUpSlots, clock);
    double[] atTheEnd =
        millisFrom(Math.max(warmUpSlots, slotsEach - (int) END.dividedBy(period)), clock);
    double doubt = -clock.uncertainty().toNanos() / 1e6;
    return new Drift.Outcome(
        starts.length() / slotsEach,
        seconds,
        expected(),
        late.length,
        skipped.sum(),
        doubled.sum(),
        Math.toIntExact(Arrays.stream(late).filter(millis -> millis < doubt).count()),
        Math.max(0, Percentile.of(late, 0.50)),
        Math.max(0, Percentile.of(late, 0.99)),
        Math.max(0, Percentile.of(late, 1)),
        Math.max(0, Percentile.of(atTheEnd, 0.99)),
        heapBytes);
  }

  /* Sorts the lateness of what has fired, from this slot of each schedule on. */
  private double[] millisFrom(int slot, ServerClock clock) {
    double[] late = new double[starts.length()];
    int seen = 0;
    for (int i = 0; i < late.length; i++) {
      long start = starts.get(i);
      if (start != 0 && i % slotsEach >= slot) {
        Instant planned = first.plus(period.multipliedBy(i % slotsEach));
        late[seen++] = Duration.between(planned, clock.at(start)).toNanos() / 1e6;
      }
    }
    double[] sorted = Arrays.copyOf(late, seen);
    Arrays.sort(sorted);
    return sorted;
  }
}
