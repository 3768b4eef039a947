package dev.carillon.engine;

import dev.carillon.store.AftermathStore;
import dev.carillon.store.ClaimStore;
import dev.carillon.store.HandoverStore;
import dev.carillon.store.HistoryStore;
import dev.carillon.store.LeaseStore;
import dev.carillon.store.NodeStore;
import dev.carillon.store.PlanStore;
import dev.carillon.store.RunStore;
import dev.carillon.store.ScheduleStore;
import dev.carillon.store.TallyStore;

/** The stores an engine works on. */
record Stores(
    ScheduleStore schedules,
    RunStore runs,
    PlanStore plans,
    ClaimStore claims,
    AftermathStore aftermath,
    NodeStore nodes,
    HistoryStore history,
    TallyStore tallies,
    HandoverStore handovers,
    LeaseStore leases) {}
