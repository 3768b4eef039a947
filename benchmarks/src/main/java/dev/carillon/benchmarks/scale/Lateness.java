package dev.carillon.benchmarks.scale;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/**
 * How late each slot of each schedule was; slots outside of the measured seconds do not count.
 * Those of the warm-up are taken down like the others, lest the JVM meet new code when it matters.
 */
final class Lateness implements Bell {
  private static final Duration END = Duration.ofSeconds(10);

  private final Instant from;
  private final Duration period;
  private final int warmUpSlots;
  private final int slotsEach;
  private final InstantSource time;
  /* For each slot, its lateness in microseconds plus one; 0 as long as nobody came. */
  private final AtomicIntegerArray slots;
  private final LongAdder repeated = new LongAdder();
  private final LongAdder early = new LongAdder();

  Lateness(int schedules, Instant from, int seconds) {
    this(schedules, from, Duration.ZERO, seconds, Duration.ofSeconds(1), InstantSource.system());
  }

  /** Measure {@code seconds} after a {@code warmUp} that begins at {@code from}. */
  Lateness(
      int schedules,
      Instant from,
      Duration warmUp,
      int seconds,
      Duration period,
      InstantSource time) {
    this.warmUpSlots = (int) warmUp.dividedBy(period);
    this.slotsEach = warmUpSlots + (int) Duration.ofSeconds(seconds).dividedBy(period);
    this.slots = new AtomicIntegerArray(schedules * slotsEach);
    this.from = from;
    this.period = period;
    this.time = time;
  }

  @Override
  public void ring(int number, Instant slot) {
    Instant now = time.instant();
    Duration since = Duration.between(from, slot);
    if (since.isNegative() || since.dividedBy(period) >= slotsEach) {
      return;
    }
    long micros = Duration.between(slot, now).toNanos() / 1_000;
    int ordinal = (int) since.dividedBy(period);
    long counts = ordinal < warmUpSlots ? 0 : 1;
    if (micros < 0) {
      early.add(counts);
    }
    int index = number * slotsEach + ordinal;
    if (!slots.compareAndSet(index, 0, 1 + (int) Math.max(0, micros))) {
      repeated.add(counts);
    }
  }

  Drift.Outcome outcome(long heapBytes) {
    int[] seen = seenFrom(warmUpSlots);
    int[] atTheEnd = seenFrom(slotsEach - (int) END.dividedBy(period));
    return new Drift.Outcome(
        slots.length() / slotsEach * (slotsEach - warmUpSlots),
        seen.length,
        repeated.sum(),
        early.sum(),
        millis(seen, 0.50),
        millis(seen, 0.99),
        millis(seen, 1),
        millis(atTheEnd, 0.99),
        heapBytes);
  }

  /** Sort the lateness of what was seen, from this slot of each schedule on. */
  private int[] seenFrom(int slot) {
    return IntStream.range(0, slots.length())
        .filter(index -> index % slotsEach >= slot)
        .map(slots::get)
        .filter(value -> value > 0)
        .map(value -> value - 1)
        .sorted()
        .toArray();
  }

  /** Return the smallest lateness that at least this {@code share} of the sorted ones keeps to. */
  private static double millis(int[] sorted, double share) {
    return sorted.length == 0
        ? Double.NaN
        : sorted[(int) Math.ceil(share * sorted.length) - 1] / 1e3;
  }
}
