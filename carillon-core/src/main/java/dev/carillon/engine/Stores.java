package dev.carillon.engine;

import dev.carillon.store.AftermathStore;
import dev.carillon.store.ClaimStore;
import dev.carillon.store.Database;
import dev.carillon.store.HandoverStore;
import dev.carillon.store.HistoryStore;
import dev.carillon.store.LeaseStore;
import dev.carillon.store.NodeStore;
import dev.carillon.store.OutageStore;
import dev.carillon.store.PlanStore;
import dev.carillon.store.RetentionStore;
import dev.carillon.store.RunStore;
import dev.carillon.store.ScheduleStore;
import dev.carillon.store.TallyStore;

/** The stores an engine works on. */
record Stores(
    ScheduleStore schedules,
    RunStore runs,
    PlanStore plans,
    OutageStore outages,
    ClaimStore claims,
    AftermathStore aftermath,
    NodeStore nodes,
    HistoryStore history,
    RetentionStore retention,
    TallyStore tallies,
    HandoverStore handovers,
    LeaseStore leases) {

  /** Return the stores on {@code database}. */
  static Stores on(Database database) {
    var schedules = new ScheduleStore(database);
    var aftermath = new AftermathStore(schedules);
    var plans = new PlanStore(database);
    return new Stores(
        schedules,
        new RunStore(database, aftermath),
        plans,
        new OutageStore(plans, aftermath),
        new ClaimStore(database),
        aftermath,
        new NodeStore(database),
        new HistoryStore(database),
        new RetentionStore(database),
        new TallyStore(database),
        new HandoverStore(database),
        new LeaseStore(database));
  }
}
