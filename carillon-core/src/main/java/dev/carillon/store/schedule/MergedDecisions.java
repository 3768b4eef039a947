package dev.carillon.store.schedule;

import dev.carillon.store.jdbc.EnumText;
import dev.carillon.store.jdbc.Transaction;
import java.time.Instant;
import java.util.Collection;

/** Decisions about slots that are part of the run of another, when that run ends as a decision. */
final class MergedDecisions {
  private final Transaction tx;

  MergedDecisions(Transaction tx) {
    this.tx = tx;
  }

  /** Let what was part of the run of a dropped slot be decided as that slot was. */
  void follow(Collection<DecisionStore.Line> dropped, Instant now) {
    if (dropped.isEmpty()) {
      return;
    }
    tx.update(
        "decide about merged slots",
        """
        update carillon.decision
           set reason = dropped.reason, policy = dropped.policy, merged_into = dropped.merged_into, decided_at = :now
          from unnest(:ids, :firsts, :lasts, :reasons, :policies, :intos)
            as dropped (id, first_slot, last_slot, reason, policy, merged_into)
         where decision.schedule_id = dropped.id
           and decision.merged_into >= dropped.first_slot
           and decision.merged_into <= dropped.last_slot
        """,
        bind ->
            bind.set("now", now)
                .array("ids", "bigint", dropped, DecisionStore.Line::schedule)
                .array("firsts", "timestamptz", dropped, line -> line.droppedSlots().first())
                .array("lasts", "timestamptz", dropped, line -> line.droppedSlots().last())
                .array(
                    "reasons", "text", dropped, line -> EnumText.of(line.droppedSlots().reason()))
                .array("policies", "text", dropped, line -> line.droppedSlots().by())
                .array("intos", "timestamptz", dropped, line -> line.droppedSlots().mergedInto()));
  }
}
