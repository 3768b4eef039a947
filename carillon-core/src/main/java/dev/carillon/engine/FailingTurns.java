package dev.carillon.engine;

import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Which of the failed turns are worth a line in the log. Without its database every step fails
 * twice a second: the first few failures are told, then one a minute, with how many were not.
 */
final class FailingTurns {
  private static final int AT_ONCE = 3;
  private static final Duration REST = Duration.ofMinutes(1);

  private final LongSupplier nanos;
  private final Set<String> failing = new HashSet<>();
  private long begun;
  private long toldAt;
  private long failed;
  private long untold;
  private volatile boolean any;

  FailingTurns(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /**
   * How it was when all steps worked again.
   *
   * @param lasted since the first turn failed
   * @param failed how many turns did
   */
  record Over(Duration lasted, long failed) {}

  /** Count a failed turn; return how many have not been told, if this one is to be. */
  synchronized OptionalLong failed(String step) {
    long now = nanos.getAsLong();
    if (failing.isEmpty()) {
      begun = now;
      failed = 0;
      untold = 0;
    }
    failing.add(step);
    any = true;
    failed++;
    if (failed > AT_ONCE && now - toldAt < REST.toNanos()) {
      untold++;
      return OptionalLong.empty();
    }
    long missing = untold;
    untold = 0;
    toldAt = now;
    return OptionalLong.of(missing);
  }

  /** Note that a turn went well; return how it was, if that ends a time that was not all told. */
  Optional<Over> turned(String step) {
    return any ? ended(step) : Optional.empty();
  }

  private synchronized Optional<Over> ended(String step) {
    if (!failing.remove(step) || !failing.isEmpty()) {
      return Optional.empty();
    }
    any = false;
    return failed > AT_ONCE
        ? Optional.of(new Over(Duration.ofNanos(nanos.getAsLong() - begun), failed))
        : Optional.empty();
  }
}
