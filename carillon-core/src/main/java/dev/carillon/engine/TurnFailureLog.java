package dev.carillon.engine;

import dev.carillon.event.EngineLoop;
import dev.carillon.store.jdbc.OutageCause;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Which of the failed turns are worth a line in the log. Without its database every step fails
 * again and again: of such expected failures each cause is logged once a minute for all loops, with
 * how many were not. Of what is unexpected, the first of each loop is logged, then one a minute.
 */
final class TurnFailureLog {
  private static final long LOG_INTERVAL = Duration.ofMinutes(1).toNanos();

  private final LongSupplier nanos;
  private final Set<EngineLoop> failing = EnumSet.noneOf(EngineLoop.class);
  private final Map<Optional<OutageCause>, Lines> expected = new HashMap<>();
  private final Map<EngineLoop, Lines> unexpected = new EnumMap<>(EngineLoop.class);
  private boolean told;
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

  /** One line a minute. */
  private static final class Lines {
    private boolean written;
    private long writtenAt;
    private long leftOut;

    OptionalLong next(long now) {
      if (written && now - writtenAt < LOG_INTERVAL) {
        leftOut++;
        return OptionalLong.empty();
      }
      long missing = leftOut;
      leftOut = 0;
      written = true;
      writtenAt = now;
      return OptionalLong.of(missing);
    }
  }

  /**
   * Count a turn that failed for a known reason, such as {@code cause}; return how many lines were
   * left out, if it gets one.
   */
  synchronized OptionalLong failed(EngineLoop loop, Optional<OutageCause> cause) {
    long now = count(loop);
    OptionalLong line = expected.computeIfAbsent(cause, one -> new Lines()).next(now);
    told |= line.isPresent();
    return line;
  }

  /** Count a turn that failed for no known reason; return the same. */
  synchronized OptionalLong failedUnexpectedly(EngineLoop loop) {
    long now = count(loop);
    return unexpected.computeIfAbsent(loop, one -> new Lines()).next(now);
  }

  private long count(EngineLoop loop) {
    long now = nanos.getAsLong();
    if (failing.isEmpty()) {
      begun = now;
      failed = 0;
    }
    failing.add(loop);
    any = true;
    failed++;
    return now;
  }

  /**
   * Note that a turn went well; return how it was, if that ends a time that was logged, but not all
   * of it.
   */
  Optional<Over> turned(EngineLoop loop) {
    return any ? ended(loop) : Optional.empty();
  }

  private synchronized Optional<Over> ended(EngineLoop loop) {
    if (!failing.remove(loop) || !failing.isEmpty()) {
      return Optional.empty();
    }
    any = false;
    boolean tells = told && failed > 1;
    told &= !tells;
    return tells
        ? Optional.of(new Over(Duration.ofNanos(nanos.getAsLong() - begun), failed))
        : Optional.empty();
  }
}
