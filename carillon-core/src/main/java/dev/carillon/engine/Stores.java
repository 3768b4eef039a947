package dev.carillon.engine;

import dev.carillon.store.calendar.WorkingCalendars;
import dev.carillon.store.claim.ClaimStore;
import dev.carillon.store.claim.HandoverStore;
import dev.carillon.store.claim.LeaseStore;
import dev.carillon.store.cluster.NodeStore;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.plan.MissedRunStore;
import dev.carillon.store.plan.PlanStore;
import dev.carillon.store.run.DeadlineStore;
import dev.carillon.store.run.HistoryStore;
import dev.carillon.store.run.RetentionStore;
import dev.carillon.store.run.RunCountStore;
import dev.carillon.store.run.RunStore;
import dev.carillon.store.run.SettleStore;
import dev.carillon.store.schedule.ExpectationStore;
import dev.carillon.store.schedule.VersionRetentionStore;

/** The stores an engine works on. */
public record Stores(
    RunStore runs,
    PlanStore plans,
    MissedRunStore missedRuns,
    ClaimStore claims,
    SettleStore settles,
    NodeStore nodes,
    HistoryStore history,
    RetentionStore retention,
    VersionRetentionStore versions,
    RunCountStore runCounts,
    HandoverStore handovers,
    LeaseStore leases,
    DeadlineStore deadlines,
    ExpectationStore expectations,
    WorkingCalendars workingCalendars) {

  /** Return the stores on {@code database}. */
  static Stores on(Database database) {
    var plans = new PlanStore(database);
    return new Stores(
        new RunStore(database),
        plans,
        new MissedRunStore(plans),
        new ClaimStore(database),
        new SettleStore(),
        new NodeStore(database),
        new HistoryStore(database),
        new RetentionStore(database),
        new VersionRetentionStore(database),
        new RunCountStore(database),
        new HandoverStore(database),
        new LeaseStore(database),
        new DeadlineStore(database),
        new ExpectationStore(database),
        new WorkingCalendars());
  }
}
