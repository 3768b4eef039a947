package dev.carillon.engine;

import dev.carillon.policy.CatchUp;
import java.time.Duration;

/**
 * How an engine works.
 *
 * @param lookahead how far ahead runs are written down
 * @param claimAhead how long before it is due a run is claimed at most
 * @param poll how long a loop rests at most; planning, five times as long
 * @param heartbeat how often the lease is renewed
 * @param lease how long a node is trusted without a sign of life
 * @param concurrency how many runs work at the same time on this node
 * @param transactions how many of them are transactional at most, each with a connection
 * @param drain how long a stop waits for running work
 * @param retention how long history is kept
 * @param acceptedTimeout how long a run that was accepted elsewhere may take if it does not say
 * @param catchUpPerTick how many missed slots of a schedule one turn of planning makes runs of
 * @param name what people call the node
 * @param version the release it runs
 */
public record EngineSettings(
    Duration lookahead,
    Duration claimAhead,
    Duration poll,
    Duration heartbeat,
    Duration lease,
    int concurrency,
    int transactions,
    Duration drain,
    Duration retention,
    Duration acceptedTimeout,
    int catchUpPerTick,
    String name,
    String version) {

  private static final Duration MAX_LONG_REST = Duration.ofMinutes(1);
  private static final int POLLS_IN_A_LONG_REST = 5;

  public EngineSettings {
    requireBetween("lookahead", lookahead, Duration.ofSeconds(1), Duration.ofHours(24));
    requireBetween("claimAhead", claimAhead, Duration.ZERO, Duration.ofMinutes(1));
    requireBetween("poll", poll, Duration.ofMillis(10), Duration.ofMinutes(1));
    requireBetween("heartbeat", heartbeat, Duration.ofMillis(50), Duration.ofMinutes(5));
    requireBetween("lease", lease, Duration.ofMillis(200), Duration.ofHours(1));
    requireBetween("drain", drain, Duration.ZERO, Duration.ofHours(24));
    requireBetween("retention", retention, Duration.ofDays(1), Duration.ofDays(36_525));
    requireBetween("acceptedTimeout", acceptedTimeout, Duration.ofMillis(1), Duration.ofDays(365));
    if (lease.compareTo(heartbeat.multipliedBy(2)) < 0) {
      throw new IllegalArgumentException(
          "the lease must be at least two heartbeats, so that one may be late; was %s with a heartbeat of %s"
              .formatted(lease, heartbeat));
    }
    if (concurrency < 1 || concurrency > 100_000) {
      throw new IllegalArgumentException(
          "concurrency must be from 1 to 100000 runs at a time; was " + concurrency);
    }
    if (catchUpPerTick < 1 || catchUpPerTick > CatchUp.MAX_LIMIT) {
      throw new IllegalArgumentException(
          "catchUpPerTick must be from 1 to %s slots; was %s"
              .formatted(CatchUp.MAX_LIMIT, catchUpPerTick));
    }
    if (transactions < 1) {
      throw new IllegalArgumentException(
          "transactionalConcurrency must be at least 1; was " + transactions);
    }
  }

  /* Planning twice per lookahead, not whenever the next slot comes into sight, writes many runs for
   * each advance of a cursor. */
  Duration planningAhead() {
    return lookahead.dividedBy(2);
  }

  /* A loop that works ahead, and is woken for what comes soon, need not look as often as others. */
  public Duration longRest() {
    Duration most = poll.compareTo(MAX_LONG_REST) < 0 ? MAX_LONG_REST : poll;
    Duration several = poll.multipliedBy(POLLS_IN_A_LONG_REST);
    return several.compareTo(most) < 0 ? several : most;
  }

  private static void requireBetween(String name, Duration value, Duration least, Duration most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          "%s must be from %s to %s; was %s".formatted(name, least, most, value));
    }
  }
}
