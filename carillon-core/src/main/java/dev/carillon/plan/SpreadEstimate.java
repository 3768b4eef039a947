package dev.carillon.plan;

import dev.carillon.model.LoadForecast.Spreading;
import dev.carillon.time.Cron;
import dev.carillon.time.Timing;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;

/**
 * Estimates the worst minute if schedules had {@code H} or jitter, from how many fires could move
 * how far. Where each goes is drawn as keys would draw it, by numbers that are always the same.
 */
final class SpreadEstimate {
  static final Duration JITTER = Duration.ofMinutes(10);
  private static final int MAX_RADIUS = (int) JITTER.toMinutes();
  private static final int HOUR = 60;

  /* With more per minute than this, the chance of each makes no difference. */
  private static final long MANY = 1_000;

  private final FireTally tally;
  private final long[] fixed;
  private final long[][] byRadius;
  private long fixedSchedules;
  private long plainSchedules;
  private long draws;

  SpreadEstimate(FireTally tally) {
    this.tally = tally;
    fixed = new long[tally.minutes()];
    byRadius = new long[MAX_RADIUS + 1][tally.minutes()];
  }

  /** Add fires of a group that has no jitter. */
  void add(FireGroup group, MinuteCounts found) {
    Timing timing = group.definition().timing();
    long size = group.schedules();
    if (timing instanceof Cron cron && hasFixedMinute(cron)) {
      fixedSchedules += size;
      addTo(fixed, found, size);
    }
    int radius = radius(timing, tally.firstMinute().plusSeconds(60L * found.minute(0)));
    if (radius > 0) {
      plainSchedules += size;
      addTo(byRadius[radius], found, size);
    }
  }

  private static void addTo(long[] fires, MinuteCounts found, long size) {
    for (int i = 0; i < found.size(); i++) {
      fires[found.minute(i)] += found.count(i) * size;
    }
  }

  /** Tell whether the minute of an expression is one number as it was written. */
  static boolean hasFixedMinute(Cron cron) {
    String written = cron.expression().startsWith("@") ? cron.resolved() : cron.expression();
    String[] fields = written.split(" ", -1);
    String minute = fields.length > 5 ? fields[1] : fields[0];
    return !minute.isEmpty() && minute.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  /* In whole minutes, and not beyond the middle between a slot and its neighbours. */
  private static int radius(Timing timing, Instant minute) {
    Optional<Instant> slot = timing.next(Instants.justBefore(minute));
    long seconds = JITTER.toSeconds();
    if (slot.isPresent()) {
      Instant one = slot.get();
      seconds = Math.min(seconds, half(timing.next(one).map(next -> Duration.between(one, next))));
      seconds =
          Math.min(seconds, half(timing.previous(one).map(last -> Duration.between(last, one))));
    }
    return (int) (seconds / 60);
  }

  private static long half(Optional<Duration> distance) {
    return distance.map(between -> between.toSeconds() / 2).orElse(Long.MAX_VALUE);
  }

  Spreading estimate() {
    long peak = tally.peak();
    long withHash = fixedSchedules == 0 ? peak : Math.min(peak, peakWithHash());
    long withJitter = plainSchedules == 0 ? peak : Math.min(peak, peakWithJitter());
    return new Spreading(
        peak,
        fixedSchedules,
        withHash,
        plainSchedules,
        withJitter,
        JITTER,
        SpreadText.of(peak, fixedSchedules, withHash, plainSchedules, withJitter));
  }

  private long peakWithHash() {
    long[] fires = tally.fires();
    int start = Math.floorMod(-tally.firstMinute().getEpochSecond() / 60, HOUR);
    for (int minute = 0; minute < fixed.length; minute++) {
      fires[minute] -= fixed[minute];
    }
    for (int hour = start - HOUR; hour < fixed.length; hour += HOUR) {
      long moved = 0;
      for (int minute = Math.max(0, hour); minute < Math.min(hour + HOUR, fixed.length); minute++) {
        moved += fixed[minute];
      }
      scatter(fires, moved, hour, HOUR);
    }
    return Arrays.stream(fires).max().orElse(0);
  }

  private long peakWithJitter() {
    long[] fires = tally.fires();
    for (int radius = 1; radius <= MAX_RADIUS; radius++) {
      for (int minute = 0; minute < fires.length; minute++) {
        fires[minute] -= byRadius[radius][minute];
      }
    }
    for (int radius = 1; radius <= MAX_RADIUS; radius++) {
      for (int minute = 0; minute < fires.length; minute++) {
        scatter(fires, byRadius[radius][minute], minute - radius, 2 * radius);
      }
    }
    return Arrays.stream(fires).max().orElse(0);
  }

  /* Those that would go before or after the period are not part of it. */
  private void scatter(long[] fires, long moved, int begin, int width) {
    long even = moved / width > MANY ? moved / width : 0;
    for (int minute = begin; even > 0 && minute < begin + width; minute++) {
      put(fires, minute, even);
    }
    for (long rest = moved - even * width; rest > 0; rest--) {
      put(fires, begin + (int) Long.remainderUnsigned(draw(), width), 1);
    }
  }

  private static void put(long[] fires, int minute, long count) {
    if (minute >= 0 && minute < fires.length) {
      fires[minute] += count;
    }
  }

  private long draw() {
    draws += 0x9e37_79b9_7f4a_7c15L; // splitmix64
    long mixed = (draws ^ draws >>> 30) * 0xbf58_476d_1ce4_e5b9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94d0_49bb_1331_11ebL;
    return mixed ^ mixed >>> 31;
  }
}
