package dev.carillon.server.watch;

import dev.carillon.Carillon;
import dev.carillon.store.cluster.ClusterStats;
import dev.carillon.store.cluster.ClusterStatsStore;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The statistics of the cluster, read from the database at most every few seconds. */
public final class ClusterStatsCache {
  static final int WORST = 50;
  private static final Duration FRESH = Duration.ofSeconds(5);

  /* A request that waited while the database did not answer does not wait for it again. */
  private static final Duration RETRY_INTERVAL = Duration.ofSeconds(1);
  private static final Duration QUERY_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration GRACE = Duration.ofMinutes(1);

  private final Carillon carillon;
  private final ClusterStatsStore store;
  private final DatabaseMonitor watch;
  private @Nullable ClusterStats last;
  private Instant takenAt = Instant.EPOCH;
  private @Nullable StoreException trouble;
  private Instant troubledAt = Instant.EPOCH;

  /** Count the cluster that {@code carillon} is a node of. */
  public ClusterStatsCache(Carillon carillon, Database database, DatabaseMonitor watch) {
    this.carillon = carillon;
    this.watch = watch;
    this.store = new ClusterStatsStore(database.waitingAtMost(QUERY_TIMEOUT));
  }

  /**
   * Return the statistics, at most a few seconds old.
   *
   * @throws DatabaseUnavailableException if the database is away; at once, or as soon as that is
   *     known
   */
  synchronized ClusterStats take() {
    if (watch.outage().filter(outage -> !outage.trouble().answers()).isPresent()) {
      last = null;
    }
    Instant now = carillon.clock().instant();
    ClusterStats known = last;
    if (known != null && now.isBefore(takenAt.plus(FRESH))) {
      return known;
    }
    if (trouble != null && now.isBefore(troubledAt.plus(RETRY_INTERVAL))) {
      throw trouble;
    }
    return ask(now);
  }

  /** Return whether the database can be written, as far as is known. */
  boolean isWritable() {
    return watch.outage().isEmpty();
  }

  /** Return what times each of the schedules called {@code keys}. */
  Map<String, String> timings(Collection<String> keys) {
    return store.timings(keys);
  }

  private ClusterStats ask(Instant now) {
    try {
      ClusterStats taken = watch.ask(() -> store.take(carillon.nodeId(), now, GRACE, WORST));
      last = taken;
      takenAt = now;
      trouble = null;
      return taken;
    } catch (StoreException e) {
      trouble = e;
      troubledAt = carillon.clock().instant();
      throw e;
    }
  }
}
