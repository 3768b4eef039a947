package dev.carillon.server.watch;

import dev.carillon.Carillon;
import dev.carillon.store.Database;
import dev.carillon.store.Vitals;
import dev.carillon.store.VitalsStore;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The vitals of the cluster, asked of the database at most every few seconds, whoever looks. */
public final class Pulse {
  static final int WORST = 50;
  private static final Duration FRESH = Duration.ofSeconds(5);
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Duration GRACE = Duration.ofMinutes(1);

  private final Carillon carillon;
  private final VitalsStore store;
  private @Nullable Vitals last;
  private Instant takenAt = Instant.EPOCH;

  /** Take the pulse of the cluster that {@code carillon} is a node of. */
  public Pulse(Carillon carillon, Database database) {
    this.carillon = carillon;
    this.store = new VitalsStore(database.waitingAtMost(PATIENCE));
  }

  /** Return the vitals, at most a few seconds old. */
  synchronized Vitals take() {
    Instant now = carillon.clock().instant();
    Vitals known = last;
    if (known == null || !now.isBefore(takenAt.plus(FRESH))) {
      known = store.take(carillon.node(), now, GRACE, WORST);
      last = known;
      takenAt = now;
    }
    return known;
  }
}
