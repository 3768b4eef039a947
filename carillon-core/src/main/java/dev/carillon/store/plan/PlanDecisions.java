package dev.carillon.store.plan;

import dev.carillon.model.ChangedBy;
import dev.carillon.model.DroppedSlots;
import dev.carillon.plan.CatchUpSummary;
import dev.carillon.plan.Standing;
import dev.carillon.policy.CatchUp;
import dev.carillon.policy.Pacing;
import dev.carillon.store.audit.AuditStore;
import dev.carillon.store.jdbc.EnumText;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.plan.PlanStore.Planned;
import dev.carillon.store.schedule.DecisionStore;
import dev.carillon.store.schedule.SkippedLine;
import dev.carillon.time.Timing;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Writes why slots have no run, and which missed slots catch-up covers. */
final class PlanDecisions {
  static final String ENGINE = "carillon";

  private static final Set<DroppedSlots.Reason> AUDITED =
      EnumSet.of(DroppedSlots.Reason.MISSED, DroppedSlots.Reason.LIMIT);

  private static final Set<DroppedSlots.Reason> EXTENDED =
      EnumSet.of(
          DroppedSlots.Reason.CALENDAR,
          DroppedSlots.Reason.QUIET_HOURS,
          DroppedSlots.Reason.MERGED);

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

  /* One run may stand for many slots, so their number is audited. */
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
    List<DecisionStore.Line> lines =
        new ArrayList<>(
            planned.stream()
                .flatMap(one -> one.plan().dropped().stream().map(dropped -> line(one, dropped)))
                .toList());
    extendStretches(planned, lines);
    DecisionStore.insert(tx, lines, now);
    var audited = new ArrayList<AuditStore.Line>();
    for (DecisionStore.Line line : lines) {
      DroppedSlots dropped = line.droppedSlots();
      if (AUDITED.contains(dropped.reason())) {
        audited.add(missed(line.schedule(), dropped));
      } else if (dropped.reason() == DroppedSlots.Reason.QUIET_HOURS) {
        audited.add(SkippedLine.of(line.schedule(), dropped));
      }
    }
    AuditStore.insert(tx, audited, new ChangedBy(now, ENGINE));
  }

  /* A night of quiet hours is planned in many turns, and is one stretch. */
  private void extendStretches(List<Planned> planned, List<DecisionStore.Line> lines) {
    var timings = new HashMap<Long, Timing>();
    planned.stream()
        .filter(one -> !one.standing().moves().isNone())
        .filter(one -> one.standing().definition().pacing() == Pacing.SLOT)
        .forEach(
            one -> timings.put(one.standing().scheduleId(), one.standing().definition().timing()));
    List<DecisionStore.Line> ruled =
        lines.stream()
            .filter(line -> timings.containsKey(line.schedule()))
            .filter(line -> EXTENDED.contains(line.droppedSlots().reason()))
            .toList();
    if (!ruled.isEmpty()) {
      lines.removeAll(ruled);
      lines.addAll(
          DecisionStore.extend(
              tx,
              ruled,
              line ->
                  Optional.ofNullable(timings.get(line.schedule()))
                      .flatMap(timing -> timing.previous(line.droppedSlots().first()))));
    }
  }

  private static DecisionStore.Line line(Planned planned, DroppedSlots dropped) {
    Standing standing = planned.standing();
    return new DecisionStore.Line(standing.scheduleId(), standing.version(), dropped);
  }

  /** Return the audit entry about missed slots. */
  static AuditStore.Line missed(long schedule, DroppedSlots dropped) {
    return new AuditStore.Line(
        schedule,
        "schedule.missed",
        Map.of(
            "first", dropped.first().toString(),
            "last", dropped.last().toString(),
            "slots", dropped.slots(),
            "reason", EnumText.of(dropped.reason())));
  }
}
