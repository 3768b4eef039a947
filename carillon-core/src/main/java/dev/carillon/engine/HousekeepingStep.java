package dev.carillon.engine;

import dev.carillon.event.EngineLoop;
import dev.carillon.event.Event;
import dev.carillon.store.jdbc.StoreException;
import dev.carillon.store.run.HistoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Work that one node should do: partitions made ahead, history and versions dropped when they are
 * old, counts folded.
 */
final class HousekeepingStep implements Step {
  private static final String DUTY = "housekeeping";
  private static final Duration BEHIND = Duration.ofDays(7);
  private static final Duration AHEAD = Duration.ofDays(28);
  private static final Duration KEEP_INTERVAL = Duration.ofHours(1);
  private static final Duration WORKER_RETENTION = Duration.ofDays(1);
  private static final int SWEEP_BATCH = 5_000;
  private static final int CROWDED_BATCH = 50;

  /* Longer than any run is planned ahead of its slot. */
  private static final Duration PLANNED_AHEAD = Duration.ofDays(2);

  private final EngineContext engine;
  private final Stores stores;
  private final Membership membership;
  private boolean leading;
  private Instant dueAt = Instant.MIN;
  private long prunedUpTo;

  HousekeepingStep(EngineContext engine) {
    this.engine = engine;
    this.stores = engine.stores();
    this.membership = engine.membership();
  }

  @Override
  public Duration run(Instant now) {
    lead(membership.holds() && holdsDuty(now), now);
    if (leading) {
      stores.runCounts().fold();
    }
    if (leading && !now.isBefore(dueAt)) {
      dueAt = keep(now) ? now.plus(KEEP_INTERVAL) : now;
    }
    return engine.settings().heartbeat();
  }

  /* Returns whether nothing is left to do: old rows, or a partition that is being read. */
  private boolean keep(Instant now) {
    Instant oldest = now.minus(engine.settings().retention());
    boolean prepared = prepare(now);
    boolean dropped = stores.history().drop(oldest);
    stores.leases().deleteWorkers(now.minus(WORKER_RETENTION));
    int swept =
        stores.retention().sweep(oldest, SWEEP_BATCH)
            + stores.runCounts().sweep(HistoryStore.kept(oldest), SWEEP_BATCH);
    boolean pruned = pruneVersions(HistoryStore.kept(oldest).minus(PLANNED_AHEAD));
    return prepared && dropped && swept < SWEEP_BATCH && pruned;
  }

  /* Returns whether the last of the schedules with many versions was looked at. */
  private boolean pruneVersions(Instant oldest) {
    List<Long> crowded = stores.versions().crowded(prunedUpTo, CROWDED_BATCH);
    if (crowded.isEmpty()) {
      prunedUpTo = 0;
      return true;
    }
    if (stores.versions().prune(crowded, oldest, SWEEP_BATCH) < SWEEP_BATCH) {
      prunedUpTo = crowded.get(crowded.size() - 1);
    }
    return false;
  }

  /** Make room for history before there is any, which is cheap; housekeeping does it again. */
  void prepareAtStart() {
    try {
      prepare(engine.now());
    } catch (StoreException e) {
      engine.publishFailure(EngineLoop.HOUSEKEEPING, "", e);
    }
  }

  /** Make the partitions that runs finishing from now on will need; return whether they exist. */
  private boolean prepare(Instant now) {
    return stores.history().prepare(now.minus(BEHIND), now.plus(AHEAD));
  }

  private boolean holdsDuty(Instant now) {
    return stores.nodes().lead(DUTY, membership.owner(), now, engine.settings().lease());
  }

  private void lead(boolean holds, Instant now) {
    if (holds != leading) {
      leading = holds;
      engine.publish(new Event.Leading(now, DUTY, holds));
    }
  }
}
