package dev.carillon.store.plan;

import dev.carillon.model.DroppedSlots;
import dev.carillon.plan.CatchUpSummary;
import dev.carillon.plan.Standing;
import dev.carillon.policy.CatchUp;
import dev.carillon.store.jdbc.EnumText;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.plan.PlanStore.Planned;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Writes why slots became no runs, and which missed slots catch-up made up for. */
final class PlanDecisions {
  private final Transaction tx;
  private final Instant now;

  PlanDecisions(Transaction tx, Instant now) {
    this.tx = tx;
    this.now = now;
  }

  void write(List<Planned> planned) {
    insertDecisions(planned);
    auditCatchUp(planned);
  }

  private record Decision(Standing standing, DroppedSlots droppedSlots) {}

  /* How many slots a catch-up made up for is else not to be seen: one run may stand for many. */
  private void auditCatchUp(List<Planned> planned) {
    List<Planned> rows = planned.stream().filter(one -> one.plan().caughtUp().isPresent()).toList();
    if (rows.isEmpty()) {
      return;
    }
    tx.update(
        "audit catch-up",
        """
        insert into carillon.audit (at, actor, action, schedule_id, details)
        select :now, 'carillon', 'schedule.caught_up', caught.schedule_id,
               jsonb_build_object('policy', caught.policy, 'first', coalesce(planned.first_slot, caught.first_slot),
                                  'last', caught.last_slot, 'slots', caught.slots + coalesce(planned.slots, 0),
                                  'runs', caught.runs)
          from unnest(:ids, :policies, :alone, :firsts, :lasts, :counts, :runs)
            as caught (schedule_id, policy, alone, first_slot, last_slot, slots, runs)
          left join lateral (  -- one run stands for those as well that were planned when the outage began
               select sum((details ->> 'slots')::bigint) as slots, min(details ->> 'first') as first_slot
                 from carillon.audit
                where audit.schedule_id = caught.schedule_id
                  and audit.action = 'schedule.missed'
                  and audit.at > :now - interval '1 minute'
                  and (audit.details ->> 'last')::timestamptz < caught.first_slot::timestamptz) as planned
            on caught.alone = 1
        """,
        bind ->
            bind.set("now", now)
                .array("ids", "bigint", rows, one -> one.standing().scheduleId())
                .array(
                    "policies", "text", rows, one -> one.standing().definition().catchUp().name())
                .array("alone", "int", rows, one -> isOnce(one) ? 1 : 0)
                .array("firsts", "text", rows, one -> caughtUp(one).first().toString())
                .array("lasts", "text", rows, one -> caughtUp(one).last().toString())
                .array("counts", "bigint", rows, one -> caughtUp(one).slots())
                .array("runs", "int", rows, one -> caughtUp(one).runs()));
  }

  private static boolean isOnce(Planned planned) {
    return planned.standing().definition().catchUp().mode() == CatchUp.Mode.ONCE;
  }

  private static CatchUpSummary caughtUp(Planned planned) {
    return planned.plan().caughtUp().orElseThrow();
  }

  private void insertDecisions(List<Planned> planned) {
    var rows = new ArrayList<Decision>();
    planned.forEach(
        one -> one.plan().dropped().forEach(drop -> rows.add(new Decision(one.standing(), drop))));
    if (rows.isEmpty()) {
      return;
    }
    tx.update(
        "insert decisions",
        """
        insert into carillon.decision (schedule_id, first_slot, last_slot, slots, reason, version, decided_at)
        select schedule_id, first_slot, last_slot, slots, reason, version, :now
          from unnest(:ids, :firsts, :lasts, :counts, :reasons, :versions)
            as dropped (schedule_id, first_slot, last_slot, slots, reason, version)
            on conflict do nothing
        """,
        bind ->
            bind.set("now", now)
                .array("ids", "bigint", rows, row -> row.standing.scheduleId())
                .array("firsts", "timestamptz", rows, row -> row.droppedSlots.first())
                .array("lasts", "timestamptz", rows, row -> row.droppedSlots.last())
                .array("counts", "bigint", rows, row -> row.droppedSlots.slots())
                .array("reasons", "text", rows, row -> EnumText.of(row.droppedSlots.reason()))
                .array("versions", "int", rows, row -> row.standing.version()));
    insertAudit(rows);
  }

  private void insertAudit(List<Decision> rows) {
    tx.update(
        "audit missed slots",
        """
        insert into carillon.audit (at, actor, action, schedule_id, details)
        select :now, 'carillon', 'schedule.missed', schedule_id,
               jsonb_build_object('first', first_slot, 'last', last_slot, 'slots', slots, 'reason', reason)
          from unnest(:ids, :firsts, :lasts, :counts, :reasons)
            as dropped (schedule_id, first_slot, last_slot, slots, reason)
         where reason in ('missed', 'limit')
        """,
        bind ->
            bind.set("now", now)
                .array("ids", "bigint", rows, row -> row.standing.scheduleId())
                .array("firsts", "text", rows, row -> row.droppedSlots.first().toString())
                .array("lasts", "text", rows, row -> row.droppedSlots.last().toString())
                .array("counts", "bigint", rows, row -> row.droppedSlots.slots())
                .array("reasons", "text", rows, row -> EnumText.of(row.droppedSlots.reason())));
  }
}
