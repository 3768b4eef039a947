package dev.carillon.engine;

import dev.carillon.event.EngineLoop;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Which of the failed turns are worth a line in the log. Without its database every step fails
 * twice a second: of such expected failures the first few of all loops are logged, then one a
 * minute, with how many were not. Of what is unexpected, the first of each loop is logged, then one
 * a minute.
 */
final class TurnFailureLog {
  private static final int AT_ONCE = 3;
  private static final long LOG_INTERVAL = Duration.ofMinutes(1).toNanos();

  private final LongSupplier nanos;
  private final Set<EngineLoop> failing = EnumSet.noneOf(EngineLoop.class);
  private final Lines expected = new Lines(AT_ONCE);
  private final Map<EngineLoop, Lines> unexpected = new EnumMap<>(EngineLoop.class);
  private long begun;
  private long failed;
  private volatile boolean any;

  TurnFailureLog(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /**
   * How it was when all steps worked again.
   *
   * @param lasted since the first turn failed
   * @param failed how many turns did
   */
  record Over(Duration lasted, long failed) {}

  /** The first lines, then one a minute. */
  private static final class Lines {
    private final int first;
    private long written;
    private long writtenAt;
    private long leftOut;

    Lines(int first) {
      this.first = first;
    }

    OptionalLong next(long now) {
      if (written >= first && now - writtenAt < LOG_INTERVAL) {
        leftOut++;
        return OptionalLong.empty();
      }
      long missing = leftOut;
      leftOut = 0;
      written++;
      writtenAt = now;
      return OptionalLong.of(missing);
    }

    void restart() {
      written = 0;
      leftOut = 0;
    }
  }

  /**
   * Count a failed turn that time may mend; return how many lines were left out, if it gets one.
   */
  synchronized OptionalLong failed(EngineLoop loop) {
    return expected.next(count(loop));
  }

  /** Count a turn that failed for no known reason; return the same. */
  synchronized OptionalLong failedUnexpectedly(EngineLoop loop) {
    long now = count(loop);
    return unexpected.computeIfAbsent(loop, one -> new Lines(1)).next(now);
  }

  private long count(EngineLoop loop) {
    long now = nanos.getAsLong();
    if (failing.isEmpty()) {
      begun = now;
      failed = 0;
      expected.restart();
    }
    failing.add(loop);
    any = true;
    failed++;
    return now;
  }

  /** Note that a turn went well; return how it was, if that ends a time that was not all logged. */
  Optional<Over> turned(EngineLoop loop) {
    return any ? ended(loop) : Optional.empty();
  }

  private synchronized Optional<Over> ended(EngineLoop loop) {
    if (!failing.remove(loop) || !failing.isEmpty()) {
      return Optional.empty();
    }
    any = false;
    return failed > AT_ONCE
        ? Optional.of(new Over(Duration.ofNanos(nanos.getAsLong() - begun), failed))
        : Optional.empty();
  }
}
