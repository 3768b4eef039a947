package dev.carillon;

import dev.carillon.fixture.Psql;
import dev.carillon.model.Decision;
import dev.carillon.store.jdbc.Database;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A schedule whose cursor and runs are put as if it had been planned ahead. */
final class PlannedSchedule {
  final String key = "k-" + UUID.randomUUID();
  final Schedules schedules;
  private final Psql psql;
  private Instant now = Instant.parse("2026-03-01T10:00:30Z");
  private long id;

  PlannedSchedule(DataSource postgres) {
    psql = new Psql(postgres);
    schedules =
        SchedulesOn.database(
            new Database(postgres), () -> now, Set.of("log"), event -> {}, () -> {});
  }

  long id() {
    return id;
  }

  Instant now() {
    return now;
  }

  void create(ScheduleDraft draft) {
    id = schedules.create(draft).schedule().id();
  }

  void plannedAhead(String... times) {
    for (String time : times) {
      plan(time, time, "pending");
    }
    Instant last = at(times[times.length - 1]);
    psql.execute(
        """
        update carillon.cursor
           set planned_through = ?, next_slot = ?, plan_by = ?, planned_runs = planned_runs + ?
         where schedule_id = ?
        """,
        last,
        last.plusSeconds(60),
        last.plusSeconds(60),
        times.length,
        id);
  }

  void plan(String slot, String dueAt, String state) {
    psql.execute(
        """
        insert into carillon.run
               (schedule_id, slot, version, trigger, target, payload, due_at, state, attempt, node_id, node_epoch,
                started_at)
        values (?, ?, 1, 'scheduled', 'log', '{}', ?, ?, ?, gen_random_uuid(), 1, 'epoch')
        """,
        id,
        at(slot),
        at(dueAt),
        state,
        state.equals("running") ? 1 : 0);
  }

  void sequel(String sequel) {
    psql.execute("update carillon.run set sequel = ? where schedule_id = ?", sequel, id);
  }

  void finished(String slot) {
    psql.execute(
        """
        insert into carillon.history
               (schedule_id, slot, ordinal, version, target, payload, due_at, trigger, attempt, finished_at, state)
        values (?, ?, 0, 1, 'log', '{}', ?, 'scheduled', 1, ?, 'succeeded')
        """,
        id,
        at(slot),
        at(slot),
        at(slot));
  }

  void cursor(String through, @Nullable String next, int runs) {
    psql.execute(
        """
        update carillon.cursor
           set planned_through = ?, next_slot = ?::timestamptz, plan_by = ?::timestamptz, planned_runs = ?
         where schedule_id = ?
        """,
        at(through),
        next == null ? Optional.empty() : at(next),
        next == null ? Optional.empty() : at(next),
        runs,
        id);
  }

  /* Up to where slots that are to be planned may have a run already. */
  List<String> plannedBefore() {
    return psql.rows(
        """
        select to_char(rewound_from at time zone 'UTC', 'HH24:MI:SS')
          from carillon.cursor
         where schedule_id = ?
        """,
        id);
  }

  String cursor() {
    return ofTheDay(
            psql.rows(
                "select planned_through, next_slot, planned_runs from carillon.cursor where schedule_id = ?",
                id))
        .get(0);
  }

  List<String> runs() {
    return ofTheDay(
        psql.rows(
            "select slot, state, sequel from carillon.run where schedule_id = ? order by slot",
            id));
  }

  List<String> decisions() {
    return schedules.decisions(key, Instant.MIN, Instant.MAX, 100).stream()
        .map(PlannedSchedule::said)
        .toList();
  }

  private static String said(Decision decision) {
    return ofTheDay(
            List.of(
                "%s %s %s %s v%s"
                    .formatted(
                        decision.droppedSlots().first(),
                        decision.droppedSlots().last(),
                        decision.droppedSlots().slots(),
                        decision.droppedSlots().reason(),
                        decision.version())))
        .get(0);
  }

  List<String> actions() {
    return psql.rows(
        "select action from carillon.audit where schedule_id = ? order by id desc", id);
  }

  private static List<String> ofTheDay(List<String> rows) {
    return rows.stream().map(row -> row.replaceAll("2026-03-01T([0-9:]+)Z", "$1")).toList();
  }

  static Instant at(String time) {
    return Instant.parse("2026-03-01T" + time + "Z");
  }

  void pass(Duration time) {
    now = now.plus(time);
  }
}
