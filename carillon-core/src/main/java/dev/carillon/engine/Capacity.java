package dev.carillon.engine;

import dev.carillon.model.Run;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;

/**
 * Decides how many runs of each target this node claims next.
 *
 * <p>Beside the runs at work, a node holds as many ready as it can finish in a moment: none if they
 * take long, many if they are quick, so that quick work is claimed in large batches; fewer if their
 * payloads are large, and fewer if other nodes could have them, unless there is enough for all.
 * Targets that had more due than they were given last time share most of what is free; the others
 * get enough to show up. So neither a busy target nor many idle ones starve the rest. Transactional
 * runs, of which each has a connection, are fewer at a time than others.
 */
final class Capacity {
  private static final int MAX_PER_CLAIM = 4_000;
  private static final int MAX_READY = 4_000;
  private static final int MIN_SHARE = 1_000;
  private static final int ENOUGH_FOR_ALL = 8_000;
  private static final int MIN_CLAIM_THAT_COUNTS = 100;
  private static final long SHARE_OF_HEAP = 8;

  private final NodeTargets targets;
  private final InFlight inFlight;
  private final int concurrency;
  private final int transactions;
  private final IntSupplier nodes;
  private final long mostBytes;

  /* Targets that used up what they were given, and how much that was in a row. */
  private final Map<String, Long> backlogged = new HashMap<>();

  private int turn;
  private final RecentRunTimes recentRunTimes = new RecentRunTimes();
  private final RecentRunTimes transactionalRunTimes = new RecentRunTimes();

  /** Hold runs ready with payloads of no more than a part of the heap. */
  Capacity(EngineContext engine) {
    this(
        engine.targets(),
        engine.inFlight(),
        engine.settings().concurrency(),
        engine.settings().transactions(),
        engine.membership()::nodes,
        Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);
  }

  /** Hold runs ready with payloads of about {@code mostBytes} at most. */
  Capacity(
      NodeTargets targets,
      InFlight inFlight,
      int concurrency,
      int transactions,
      IntSupplier nodes,
      long mostBytes) {
    this.nodes = nodes;
    this.mostBytes = mostBytes;
    this.targets = targets;
    this.inFlight = inFlight;
    this.concurrency = concurrency;
    this.transactions = transactions;
  }

  /** Return how many runs of each target may be claimed now, in all no more than are free. */
  Map<String, Integer> free() {
    int free = Math.min(MAX_PER_CLAIM, room());
    var open = new ArrayList<String>();
    for (String label : targets.labels()) {
      if (room(label) > 0) {
        open.add(label);
      }
    }
    if (free <= 0 || open.isEmpty()) {
      return Map.of();
    }
    Collections.sort(open);
    Collections.rotate(open, turn++ % open.size());
    return shares(free, open);
  }

  /**
   * Return whether a claim is better made in a moment, when it can be larger: there is no end of
   * what is due, and what is ready lasts until then.
   */
  boolean canWait() {
    return isBottomless() && inFlight.taken() > concurrency + ready() / 2;
  }

  /** Return whether nothing more can be claimed before something ends. */
  boolean isFull() {
    return room() <= 0;
  }

  private int room() {
    return concurrency + ready() - inFlight.taken();
  }

  private int ready() {
    recentRunTimes.measure(inFlight.worked());
    return (int) Math.min(shareOfBurst(), recentRunTimes.inAMoment(concurrency, mostBytes));
  }

  private int transactionalRoom() {
    transactionalRunTimes.measure(inFlight.transactionalWorked());
    int ready =
        (int) Math.min(shareOfBurst(), transactionalRunTimes.inAMoment(transactions, mostBytes));
    return transactions + ready - inFlight.transactional();
  }

  /* Else the node that claims a burst first would have all of it (ADR 0021). */
  private int shareOfBurst() {
    int sharing = isBottomless() ? 1 : nodes.getAsInt();
    int share = Math.max(MIN_SHARE, (concurrency + MAX_READY) / sharing);
    return Math.max(0, share - concurrency);
  }

  private boolean isBottomless() {
    return backlogged.values().stream().anyMatch(runs -> runs > ENOUGH_FOR_ALL);
  }

  /** Record that {@code runs} waited for {@code time} and had to be given back. */
  void heldTooLong(List<Run> runs, Duration time) {
    for (Run run : runs) {
      (targets.isTransactional(run.target()) ? transactionalRunTimes : recentRunTimes)
          .heldTooLong(time);
    }
  }

  private Map<String, Integer> shares(int free, List<String> open) {
    long wantMore = open.stream().filter(backlogged::containsKey).count();
    int little = wantMore == 0 ? share(free, open.size()) : share(free / 4, open.size());
    int most = wantMore == open.size() ? free : free - free / 4;
    int much = wantMore == 0 ? 0 : share(most, (int) wantMore);
    var shares = new LinkedHashMap<String, Integer>();
    int left = free;
    int transactionalLeft = Math.max(0, transactionalRoom());
    for (String label : open) {
      boolean transactional = targets.isTransactional(label);
      int wanted = backlogged.containsKey(label) ? Math.max(much, little) : little;
      int given = Math.min(left, Math.min(wanted, room(label)));
      given = transactional ? Math.min(given, transactionalLeft) : given;
      if (given > 0) {
        shares.put(label, given);
        left -= given;
        transactionalLeft -= transactional ? given : 0;
      }
    }
    return shares;
  }

  private static int share(int whole, int targets) {
    return Math.max(1, whole / Math.max(1, targets));
  }

  private int room(String label) {
    return targets.most(label) - inFlight.of(label);
  }

  /**
   * Record which targets used up what they were {@code given}. A few at a time say only that the
   * target may not have more.
   */
  void usedUp(Map<String, Integer> given) {
    backlogged.keySet().retainAll(given.keySet());
    given.forEach(
        (label, runs) ->
            backlogged.merge(label, runs < MIN_CLAIM_THAT_COUNTS ? 0L : runs, Long::sum));
  }
}
