package dev.carillon.benchmarks.measure;

import dev.carillon.bench.Sql;
import java.util.List;

/**
 * Copies the idle schedules that were created through the library, until there are {@code times} as
 * many.
 *
 * <p>One statement per table copies the rows with other numbers and keys. Constraints are not
 * checked: the rows differ from created ones in nothing else.
 */
record ScheduleCopies(int times) {
  /* Versions first: a schedule refers to its version. */
  private static final List<String> COPIES =
      List.of(
          """
          insert into carillon.schedule_version
                 (schedule_id, version, target, payload, definition, tags, created_at, created_by)
          select version.schedule_id + copy * (select max(id) from carillon.schedule), version.version, version.target,
                 version.payload, version.definition, version.tags, version.created_at, version.created_by
            from carillon.schedule_version as version
           cross join generate_series(1, ? - 1) as copy
          """,
          """
          insert into carillon.cursor
                 (schedule_id, planned_through, next_slot, plan_by, planned_runs, tzdb_version)
          select cursor.schedule_id + copy * (select max(id) from carillon.schedule), cursor.planned_through,
                 cursor.next_slot, cursor.plan_by, cursor.planned_runs, cursor.tzdb_version
            from carillon.cursor
           cross join generate_series(1, ? - 1) as copy
          """,
          """
          insert into carillon.audit (at, actor, action, schedule_id, details)
          select audit.at, audit.actor, audit.action,
                 audit.schedule_id + copy * (select max(id) from carillon.schedule), audit.details
            from carillon.audit
           cross join generate_series(1, ? - 1) as copy
          """,
          """
          insert into carillon.schedule (id, key, version, created_at, created_by, updated_at, updated_by)
          overriding system value
          select schedule.id + copy * (select max(id) from carillon.schedule), schedule.key || '-' || copy,
                 schedule.version, schedule.created_at, schedule.created_by, schedule.updated_at, schedule.updated_by
            from carillon.schedule
           cross join generate_series(1, ? - 1) as copy
          """);

  void insert(Sql sql) {
    COPIES.forEach(copy -> sql.run("set session_replication_role = replica;" + copy, times));
    sql.run(
        """
        select setval(pg_get_serial_sequence('carillon.schedule', 'id'), max(id))
          from carillon.schedule
        """);
    sql.run("vacuum (freeze, analyze)");
    sql.run("checkpoint");
  }
}
