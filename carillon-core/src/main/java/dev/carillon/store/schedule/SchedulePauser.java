package dev.carillon.store.schedule;

import dev.carillon.model.ChangedBy;
import dev.carillon.model.DroppedSlots.Reason;
import dev.carillon.model.Pause;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.plan.Planner;
import dev.carillon.policy.Pacing;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.schedule.PlannedAhead.Coming;
import dev.carillon.store.schedule.PlannedAhead.Cursor;
import dev.carillon.store.schedule.PlannedAhead.Withdrawn;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Pauses and retires schedules. */
final class SchedulePauser {
  private final Transaction tx;
  private final ScheduleWrites writes;
  private final PlannedAhead ahead;
  private final UnplannedSlots unplannedSlots;
  private final DecisionsAhead decisions;
  private final ScheduleRules rules;

  SchedulePauser(Transaction tx, ScheduleRules rules) {
    this.tx = tx;
    this.writes = new ScheduleWrites(tx);
    this.ahead = new PlannedAhead(tx);
    this.decisions = new DecisionsAhead(tx);
    this.unplannedSlots = new UnplannedSlots(ahead, decisions);
    this.rules = rules;
  }

  void pause(List<LockedSchedule> schedules, Function<LockedSchedule, Pause> pauses, ChangedBy by) {
    List<LockedSchedule> active =
        schedules.stream().filter(locked -> locked.is(ScheduleStatus.ACTIVE)).toList();
    Map<Long, List<Withdrawn>> withdrawn = stop(active, by.at(), Reason.PAUSED);
    writes.setStatus(
        schedules, ScheduleStatus.PAUSED, locked -> Optional.of(pauses.apply(locked)), by);
    writes.audit(
        schedules,
        "schedule.paused",
        locked -> details(locked, pauses.apply(locked), count(withdrawn, locked)),
        by);
  }

  /** Plan a pause of active schedules, and withdraw the runs of its slots. */
  void pauseLater(List<LockedSchedule> schedules, Pause pause, ChangedBy by) {
    Instant from = pause.from().orElseThrow();
    List<Long> ids = schedules.stream().map(LockedSchedule::id).toList();
    var begins = new HashMap<Long, Instant>();
    var ends = new LinkedHashMap<LockedSchedule, Instant>();
    for (LockedSchedule locked : schedules) {
      Instant last = rules.come(locked, justBefore(from));
      begins.put(locked.id(), last.plus(1, ChronoUnit.MICROS));
      ends.put(locked, last);
    }
    Map<Long, List<Withdrawn>> withdrawn =
        ahead.withdrawFrom(begins).stream().collect(Collectors.groupingBy(Withdrawn::schedule));
    var floors = new LinkedHashMap<LockedSchedule, Instant>();
    ends.forEach(
        (locked, last) -> {
          List<Withdrawn> own = withdrawn.getOrDefault(locked.id(), List.of());
          floors.put(locked.without(own.size()), floor(locked, own, last));
        });
    decisions.takeBack(ends, by.at());
    List<Cursor> cursors =
        ahead.resumed(
            floors, locked -> Coming.before(locked, rules.of(locked.definition()), pause.from()));
    ahead.set(cursors);
    writes.setComingPause(ids, pause, by);
    writes.audit(
        schedules,
        "schedule.pause_planned",
        locked -> details(locked, pause, count(withdrawn, locked)),
        by);
    var moments = new ArrayList<Optional<Instant>>(List.of(pause.from()));
    cursors.forEach(cursor -> moments.add(cursor.planBy()));
    writes.announce(moments, by.at());
  }

  /* Planning goes back to before the pause, or to before the slot that followed the end of a run. */
  private static Instant floor(LockedSchedule locked, List<Withdrawn> withdrawn, Instant last) {
    if (locked.definition().pacing() == Pacing.FINISH) {
      return withdrawn.isEmpty()
          ? locked.plannedThrough()
          : Planner.endBefore(locked.definition(), withdrawn.get(0).slot());
    }
    return earlier(locked.plannedThrough(), last);
  }

  /** Begin the coming pauses of active schedules. */
  void begin(List<LockedSchedule> schedules, ChangedBy by) {
    var lines = new ArrayList<DecisionStore.Line>();
    var cursors = new ArrayList<Cursor>();
    for (LockedSchedule locked : schedules) {
      Instant last = rules.come(locked, justBefore(comingPause(locked).from().orElseThrow()));
      lines.addAll(unplannedSlots.unplanned(locked, last, Reason.MISSED, List.of()));
      Instant through = locked.plannedThrough().isAfter(last) ? locked.plannedThrough() : last;
      cursors.add(Cursor.idle(locked.id(), through, locked.plannedRuns()));
    }
    DecisionStore.insert(tx, lines, by.at());
    ahead.set(cursors);
    writes.setStatus(
        schedules,
        ScheduleStatus.PAUSED,
        locked -> Optional.of(comingPause(locked).immediate()),
        by);
    writes.audit(schedules, "schedule.paused", locked -> details(comingPause(locked)), by);
    writes.announce(
        schedules.stream().map(locked -> comingPause(locked).until()).toList(), by.at());
  }

  private static Pause comingPause(LockedSchedule locked) {
    return locked.schedule().plannedPause().orElseThrow();
  }

  /* The resolution of the database. */
  private static Instant justBefore(Instant instant) {
    return instant.minus(1, ChronoUnit.MICROS);
  }

  private static Instant earlier(Instant one, Instant other) {
    return other.isBefore(one) ? other : one;
  }

  private static Map<String, Object> details(LockedSchedule locked, Pause pause, int withdrawn) {
    Map<String, Object> details = details(pause);
    locked
        .schedule()
        .plannedPause()
        .flatMap(Pause::from)
        .ifPresent(from -> details.put("replacedPauseFrom", from.toString()));
    details.put("withdrawn", withdrawn);
    return details;
  }

  private static Map<String, Object> details(Pause pause) {
    var details = new LinkedHashMap<String, Object>();
    details.put("reason", pause.reason());
    pause.from().ifPresent(from -> details.put("from", from.toString()));
    pause.until().ifPresent(until -> details.put("until", until.toString()));
    return details;
  }

  void retire(List<LockedSchedule> schedules, ChangedBy by) {
    Map<Long, List<Withdrawn>> withdrawn = stop(schedules, by.at(), Reason.RETIRED);
    List<Long> ids = schedules.stream().map(LockedSchedule::id).toList();
    writes.retireVersions(ids, by.at());
    writes.setStatus(schedules, ScheduleStatus.RETIRED, locked -> Optional.empty(), by);
    writes.audit(
        schedules,
        "schedule.retired",
        locked ->
            Map.of(
                "fromVersion", locked.schedule().version(), "withdrawn", count(withdrawn, locked)),
        by);
  }

  private static int count(Map<Long, List<Withdrawn>> withdrawn, LockedSchedule locked) {
    return withdrawn.getOrDefault(locked.id(), List.of()).size();
  }

  /* Slots that have come while the schedule was in force get a decision if their runs are withdrawn. */
  private Map<Long, List<Withdrawn>> stop(
      List<LockedSchedule> schedules, Instant now, Reason withdrawing) {
    if (schedules.isEmpty()) {
      return Map.of();
    }
    List<Long> ids = schedules.stream().map(LockedSchedule::id).toList();
    Map<Long, List<Withdrawn>> withdrawn =
        ahead.withdrawUndue(ids, now).stream().collect(Collectors.groupingBy(Withdrawn::schedule));
    var come = new LinkedHashMap<LockedSchedule, Instant>();
    schedules.forEach(locked -> come.put(locked, rules.come(locked, now)));
    decisions.takeBack(come, now);
    var lines = new ArrayList<DecisionStore.Line>();
    var merged = new ArrayList<DecisionStore.Line>();
    var cursors = new ArrayList<Cursor>();
    come.forEach(
        (locked, through) -> {
          List<Withdrawn> own = withdrawn.getOrDefault(locked.id(), List.of());
          Reason reason = locked.is(ScheduleStatus.PAUSED) ? Reason.PAUSED : Reason.MISSED;
          lines.addAll(unplannedSlots.unplanned(locked.without(own.size()), through, reason, own));
          List<DecisionStore.Line> passed =
              UnplannedSlots.withdrawn(locked, through, withdrawing, own);
          lines.addAll(passed);
          merged.addAll(passed);
          long runs = Math.max(0, locked.plannedRuns() - own.size());
          cursors.add(Cursor.idle(locked.id(), through, runs));
        });
    DecisionStore.insert(tx, lines, now);
    new MergedDecisions(tx).follow(merged, now);
    ahead.set(cursors);
    return withdrawn;
  }
}
