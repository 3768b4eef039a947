package dev.carillon.store;

import dev.carillon.model.Dropped.Reason;
import dev.carillon.model.Pause;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.model.Stamp;
import dev.carillon.plan.Planner;
import dev.carillon.policy.Pacing;
import dev.carillon.store.PlannedAhead.Cursor;
import dev.carillon.store.PlannedAhead.Withdrawn;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Pauses and retires schedules. */
final class Stopping {
  private final Transaction tx;
  private final ScheduleWrites writes;
  private final PlannedAhead ahead;
  private final Backlog backlog;

  Stopping(Transaction tx) {
    this.tx = tx;
    this.writes = new ScheduleWrites(tx);
    this.ahead = new PlannedAhead(tx);
    this.backlog = new Backlog(ahead);
  }

  /** Pause active schedules, or give paused ones another reason. */
  void pause(List<Held> schedules, Function<Held, Pause> pauses, Stamp by) {
    List<Held> active = schedules.stream().filter(held -> held.is(ScheduleStatus.ACTIVE)).toList();
    Map<Long, List<Withdrawn>> withdrawn = stop(active, by.at(), true);
    writes.setStatus(schedules, ScheduleStatus.PAUSED, held -> Optional.of(pauses.apply(held)), by);
    writes.audit(
        schedules,
        "schedule.paused",
        held -> said(held, pauses.apply(held), count(withdrawn, held)),
        by);
  }

  /** Let active schedules pause when {@code pause} begins, whose slots are to have no runs. */
  void pauseLater(List<Held> schedules, Pause pause, Stamp by) {
    Instant from = pause.from().orElseThrow();
    List<Long> ids = schedules.stream().map(Held::id).toList();
    Map<Long, List<Withdrawn>> withdrawn =
        ahead.withdrawFrom(ids, from).stream().collect(Collectors.groupingBy(Withdrawn::schedule));
    var floors = new LinkedHashMap<Held, Instant>();
    for (Held held : schedules) {
      List<Withdrawn> own = withdrawn.getOrDefault(held.id(), List.of());
      floors.put(held.without(own.size()), floor(held, own, from));
    }
    List<Cursor> cursors = ahead.goingOn(floors);
    ahead.set(cursors);
    writes.setComingPause(ids, pause, by);
    writes.audit(
        schedules, "schedule.pause_planned", held -> said(held, pause, count(withdrawn, held)), by);
    var moments = new ArrayList<Optional<Instant>>(List.of(pause.from()));
    cursors.forEach(cursor -> moments.add(cursor.planBy()));
    writes.announce(moments, by.at());
  }

  /* Planning goes back to before the pause, or to before the one slot that a run's end has named. */
  private static Instant floor(Held held, List<Withdrawn> withdrawn, Instant from) {
    if (held.definition().pacing() == Pacing.FINISH) {
      return withdrawn.isEmpty()
          ? held.plannedThrough()
          : Planner.endBefore(held.definition(), withdrawn.get(0).slot());
    }
    return earlier(held.plannedThrough(), justBefore(from));
  }

  /** Begin the coming pauses of active schedules; the slots since then are those of a pause. */
  void begin(List<Held> schedules, Stamp by) {
    var lines = new ArrayList<DecisionStore.Line>();
    var cursors = new ArrayList<Cursor>();
    for (Held held : schedules) {
      Instant last = justBefore(comingPause(held).from().orElseThrow());
      lines.addAll(backlog.unplanned(held, last, Reason.MISSED, List.of()));
      Instant through = held.plannedThrough().isAfter(last) ? held.plannedThrough() : last;
      cursors.add(Cursor.idle(held.id(), through, held.plannedRuns()));
    }
    DecisionStore.insert(tx, lines, by.at());
    ahead.set(cursors);
    writes.setStatus(
        schedules, ScheduleStatus.PAUSED, held -> Optional.of(comingPause(held).begun()), by);
    writes.audit(schedules, "schedule.paused", held -> said(comingPause(held)), by);
    writes.announce(schedules.stream().map(held -> comingPause(held).until()).toList(), by.at());
  }

  private static Pause comingPause(Held held) {
    return held.schedule().comingPause().orElseThrow();
  }

  /* What the database tells from the instant itself. */
  private static Instant justBefore(Instant instant) {
    return instant.minus(1, ChronoUnit.MICROS);
  }

  private static Instant earlier(Instant one, Instant other) {
    return other.isBefore(one) ? other : one;
  }

  private static Map<String, Object> said(Held held, Pause pause, int withdrawn) {
    Map<String, Object> said = said(pause);
    held.schedule()
        .comingPause()
        .flatMap(Pause::from)
        .ifPresent(from -> said.put("replacedPauseFrom", from.toString()));
    said.put("withdrawn", withdrawn);
    return said;
  }

  private static Map<String, Object> said(Pause pause) {
    var said = new LinkedHashMap<String, Object>();
    said.put("reason", pause.reason());
    pause.from().ifPresent(from -> said.put("from", from.toString()));
    pause.until().ifPresent(until -> said.put("until", until.toString()));
    return said;
  }

  /** Retire schedules that are not retired. */
  void retire(List<Held> schedules, Stamp by) {
    Map<Long, List<Withdrawn>> withdrawn = stop(schedules, by.at(), false);
    List<Long> ids = schedules.stream().map(Held::id).toList();
    writes.retireVersions(ids, by.at());
    writes.setStatus(schedules, ScheduleStatus.RETIRED, held -> Optional.empty(), by);
    writes.audit(
        schedules,
        "schedule.retired",
        held ->
            Map.of("fromVersion", held.schedule().version(), "withdrawn", count(withdrawn, held)),
        by);
  }

  private static int count(Map<Long, List<Withdrawn>> withdrawn, Held held) {
    return withdrawn.getOrDefault(held.id(), List.of()).size();
  }

  /* What a pause takes back is decided, since the schedule will go on without it; after the end of
   * a schedule, its end says it all. */
  private Map<Long, List<Withdrawn>> stop(List<Held> schedules, Instant now, boolean pausing) {
    if (schedules.isEmpty()) {
      return Map.of();
    }
    List<Long> ids = schedules.stream().map(Held::id).toList();
    Map<Long, List<Withdrawn>> withdrawn =
        ahead.withdrawUndue(ids, now).stream().collect(Collectors.groupingBy(Withdrawn::schedule));
    var lines = new ArrayList<DecisionStore.Line>();
    var cursors = new ArrayList<Cursor>();
    for (Held held : schedules) {
      List<Withdrawn> own = withdrawn.getOrDefault(held.id(), List.of());
      Reason reason = held.is(ScheduleStatus.PAUSED) ? Reason.PAUSED : Reason.MISSED;
      lines.addAll(backlog.unplanned(held.without(own.size()), now, reason, own));
      if (pausing) {
        lines.addAll(Backlog.paused(held, now, own));
      }
      cursors.add(Cursor.idle(held.id(), now, Math.max(0, held.plannedRuns() - own.size())));
    }
    DecisionStore.insert(tx, lines, now);
    ahead.set(cursors);
    return withdrawn;
  }
}
