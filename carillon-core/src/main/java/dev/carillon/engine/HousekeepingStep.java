package dev.carillon.engine;

import dev.carillon.event.EngineLoop;
import dev.carillon.event.Event;
import dev.carillon.store.claim.LeaseStore;
import dev.carillon.store.cluster.NodeStore;
import dev.carillon.store.jdbc.StoreException;
import dev.carillon.store.run.HistoryStore;
import dev.carillon.store.run.RetentionStore;
import dev.carillon.store.run.RunCountStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Work that one node should do: partitions made ahead, history dropped when it is old, tallies
 * folded.
 */
final class HousekeepingStep implements Step {
  private static final String DUTY = "housekeeping";
  private static final Duration BEHIND = Duration.ofDays(7);
  private static final Duration AHEAD = Duration.ofDays(28);
  private static final Duration EVERY = Duration.ofHours(1);
  private static final Duration GONE = Duration.ofDays(1);
  private static final int SWEEP = 5_000;

  private final EngineContext engine;
  private final NodeStore nodes;
  private final HistoryStore history;
  private final RetentionStore retention;
  private final RunCountStore tallies;
  private final LeaseStore leases;
  private final Membership membership;
  private boolean leading;
  private boolean toldForbidden;
  private Instant dueAt = Instant.MIN;

  HousekeepingStep(EngineContext engine, Stores stores, Membership membership) {
    this.engine = engine;
    this.nodes = stores.nodes();
    this.history = stores.history();
    this.retention = stores.retention();
    this.tallies = stores.tallies();
    this.leases = stores.leases();
    this.membership = membership;
  }

  @Override
  public Duration run(Instant now) {
    lead(membership.holds(now) && holdsDuty(now), now);
    if (leading) {
      tallies.fold();
    }
    if (leading && !now.isBefore(dueAt)) {
      dueAt = keep(now) ? now.plus(EVERY) : now;
    }
    return engine.settings().heartbeat();
  }

  /* Returns whether nothing is left to do: old rows, or a partition that somebody is reading. */
  private boolean keep(Instant now) {
    Instant oldest = now.minus(engine.settings().retention());
    boolean prepared = prepare(now);
    boolean dropped =
        ifAllowed(now, () -> history.drop(oldest), () -> retention.empty(oldest, SWEEP) < SWEEP);
    leases.forgetWorkers(now.minus(GONE));
    int swept = retention.sweep(oldest, SWEEP) + tallies.sweep(HistoryStore.kept(oldest), SWEEP);
    return prepared && dropped && swept < SWEEP;
  }

  /** Make room for history before there is any, which is cheap; housekeeping does it again. */
  void prepareAtStart() {
    try {
      prepare(engine.time().instant());
    } catch (StoreException e) {
      engine.publish(
          new Event.TurnFailed(
              engine.time().instant(),
              EngineLoop.HOUSEKEEPING,
              String.valueOf(e.getMessage()),
              Optional.of(e)));
    }
  }

  /** Make the partitions that runs finishing from now on will need; return whether they exist. */
  private boolean prepare(Instant now) {
    return ifAllowed(now, () -> history.prepare(now.minus(BEHIND), now.plus(AHEAD)), () -> true);
  }

  /* A role that may change rows but not tables gets along without partitions. */
  private boolean ifAllowed(Instant now, BooleanSupplier change, BooleanSupplier otherwise) {
    try {
      return change.getAsBoolean();
    } catch (StoreException e) {
      if (!e.isForbidden()) {
        throw e;
      }
      tellForbidden(now, e);
      return otherwise.getAsBoolean();
    }
  }

  private void tellForbidden(Instant now, StoreException problem) {
    if (!toldForbidden) {
      toldForbidden = true;
      engine.publish(
          new Event.TurnFailed(
              now,
              EngineLoop.HOUSEKEEPING,
              "this role may not make or drop partitions of the history, so old runs are deleted row by row; to have partitions, let one node sign in as the owner of the schema carillon. PostgreSQL says: "
                  + problem.getMessage(),
              Optional.of(problem)));
    }
  }

  private boolean holdsDuty(Instant now) {
    return nodes.lead(DUTY, membership.owner(), now, engine.settings().lease());
  }

  private void lead(boolean holds, Instant now) {
    if (holds != leading) {
      leading = holds;
      engine.publish(new Event.Leading(now, DUTY, holds));
    }
  }
}
