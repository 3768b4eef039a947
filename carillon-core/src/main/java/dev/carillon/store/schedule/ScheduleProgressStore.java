package dev.carillon.store.schedule;

import dev.carillon.model.Schedule;
import dev.carillon.plan.ScheduleProgress;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.Pages;
import dev.carillon.store.jdbc.Statements;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the progress of schedules from their cursors and runs. */
public final class ScheduleProgressStore {
  private final Database database;

  public ScheduleProgressStore(Database database) {
    this.database = database;
  }

  private record Line(
      long schedule, Optional<Instant> next, long runs, Optional<Instant> aheadSlot) {}

  /** Return the progress of schedules by number, with up to {@code count} runs ahead of each. */
  public Map<Long, ScheduleProgress> of(Collection<Schedule> schedules, Instant now, int count) {
    var bySchedule = new LinkedHashMap<Long, List<Line>>();
    for (Line line : lines(schedules, now, count)) {
      bySchedule.computeIfAbsent(line.schedule, id -> new ArrayList<>()).add(line);
    }
    var progress = new LinkedHashMap<Long, ScheduleProgress>();
    bySchedule.forEach((id, lines) -> progress.put(id, progress(lines)));
    return progress;
  }

  private static ScheduleProgress progress(List<Line> lines) {
    return new ScheduleProgress(
        lines.get(0).next,
        lines.stream().flatMap(line -> line.aheadSlot.stream()).sorted().toList(),
        lines.get(0).runs);
  }

  private List<Line> lines(Collection<Schedule> schedules, Instant now, int count) {
    if (schedules.size() <= 1) {
      return read(database, schedules, now, count);
    }
    return database.inTransaction(
        tx -> {
          Pages.alongIndexes(tx);
          return read(tx, schedules, now, count);
        });
  }

  /* Jitter makes a run due after its slot by its amount at most; a run due later is a catch-up. */
  private List<Line> read(
      Statements statements, Collection<Schedule> schedules, Instant now, int count) {
    return statements.query(
        "look ahead",
        """
        select wanted.id, cursor.next_slot, cursor.planned_runs, ahead.slot
          from unnest((select :ids), (select :sinces)) as wanted (id, since)
         cross join lateral (
               select next_slot, planned_runs
                 from carillon.cursor
                where schedule_id = wanted.id
                limit 1) as cursor  -- looked up one by one
          left join lateral (
               select slot
                 from carillon.run
                where schedule_id = wanted.id
                  and slot > wanted.since
                  and due_at > :now
                  and state = 'pending'
                  and trigger = 'scheduled'
                order by slot
                limit :count) as ahead
            on true
        """,
        bind ->
            bind.set("now", now)
                .set("count", count)
                .each("ids", "bigint", schedules, Schedule::id)
                .each("sinces", "timestamptz", schedules, schedule -> since(schedule, now)),
        row ->
            new Line(
                row.number("id"),
                row.optionalInstant("next_slot"),
                row.number("planned_runs"),
                row.optionalInstant("slot")));
  }

  private static Instant since(Schedule schedule, Instant now) {
    return schedule.definition().isRuled()
        ? Instant.EPOCH
        : now.minus(schedule.definition().jitter().amount());
  }
}
