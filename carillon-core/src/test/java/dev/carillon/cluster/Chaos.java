package dev.carillon.cluster;

import dev.carillon.cluster.RestartablePostgres.Way;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * What is done to a cluster in one trial, drawn from a seed.
 *
 * @param moves one after the other
 */
record Chaos(List<Move> moves) {
  private static final List<Way> WAYS = List.of(Way.values());

  /** What is done. */
  enum Kind {
    /** A node is killed, and another one started. */
    KILL,
    /** A node does nothing for longer than its lease. */
    FREEZE,
    /** Frozen nodes go on. */
    THAW,
    /** PostgreSQL goes away and comes back. */
    RESTART,
    /** All nodes are killed, and others started. */
    BLACKOUT
  }

  /**
   * One thing that is done.
   *
   * @param kind what
   * @param pause how long after the one before
   * @param pick which of the nodes, counted round and round
   * @param way how PostgreSQL goes away
   * @param downtime how long PostgreSQL stays away
   */
  record Move(Kind kind, Duration pause, int pick, Way way, Duration downtime) {}

  /** Draw what is done in trial {@code number}: the first thing in turn, the rest at random. */
  static Chaos of(long seed, int number) {
    var random = new Random(seed * 1_000_003 + number);
    var moves = new ArrayList<Move>();
    var opening = List.of(Kind.FREEZE, Kind.RESTART, Kind.KILL, Kind.BLACKOUT);
    moves.add(move(opening.get(number % opening.size()), random));
    int more = 1 + random.nextInt(2);
    for (int i = 0; i < more; i++) {
      moves.add(move(any(random), random));
    }
    moves.add(move(Kind.THAW, random));
    return new Chaos(moves);
  }

  private static Kind any(Random random) {
    int roll = random.nextInt(100);
    if (roll < 50) {
      return Kind.KILL;
    }
    return roll < 70 ? Kind.FREEZE : roll < 90 ? Kind.RESTART : Kind.BLACKOUT;
  }

  private static Move move(Kind kind, Random random) {
    return new Move(
        kind,
        Duration.ofMillis(200 + random.nextInt(600)),
        random.nextInt(1_000),
        WAYS.get(random.nextInt(WAYS.size())),
        Duration.ofMillis(random.nextInt(4) == 0 ? 1_500 : random.nextInt(300)));
  }
}
