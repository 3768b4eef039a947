package dev.carillon.store.schedule;

import dev.carillon.store.jdbc.Database;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/** Deletes old versions of schedules that no run refers to. */
public final class VersionRetentionStore {
  /** How many of the last versions of a schedule are kept in any case. */
  public static final int KEPT = 100;

  /* Of a schedule with more runs, only versions that were retired before the history begins go. */
  private static final int MAX_RUNS = 10_000;

  private final Database database;

  public VersionRetentionStore(Database database) {
    this.database = database;
  }

  /** Return the first schedules after {@code after} that had more versions than are kept. */
  public List<Long> crowded(long after, int limit) {
    return database.query(
        "find schedules with many versions",
        """
        select id
          from carillon.schedule
         where version > 100  -- as the index says
           and id > :after
         order by id
         limit :limit
        """,
        bind -> bind.set("after", after).set("limit", limit),
        row -> row.number("id"));
  }

  /**
   * Delete up to {@code limit} versions of {@code schedules} that are not among the last ones and
   * that no run refers to; return how many.
   *
   * @param oldest runs with earlier slots are not kept
   */
  public int prune(Collection<Long> schedules, Instant oldest, int limit) {
    return database.update(
        "delete old versions",
        """
        with used as materialized (
          select wanted.id as schedule_id, look.version
            from unnest((select :schedules)) as wanted (id)
           cross join lateral (
                 select version
                   from carillon.any_run
                  where any_run.schedule_id = wanted.id
                  limit :runs + 1) as look),
        seen as materialized (
          select schedule_id, count(*) as runs
            from used
           group by schedule_id),
        unused as (
          select old.schedule_id, old.version
            from unnest((select :schedules)) as wanted (id)
            join carillon.schedule
              on schedule.id = wanted.id
            join carillon.schedule_version as old
              on old.schedule_id = schedule.id and old.version <= schedule.version - :kept
            left join seen
              on seen.schedule_id = schedule.id
           where (coalesce(seen.runs, 0) <= :runs or old.retired_at < :oldest)
             and not exists (select 1
                               from used
                              where used.schedule_id = old.schedule_id
                                and used.version = old.version)
             and not exists (select 1
                               from carillon.run
                              where run.schedule_id = old.schedule_id
                                and run.version = old.version)
           limit :limit)
        delete from carillon.schedule_version as version
         using unused
         where version.schedule_id = unused.schedule_id
           and version.version = unused.version
        """,
        bind ->
            bind.each("schedules", "bigint", List.copyOf(schedules), id -> id)
                .set("kept", KEPT)
                .set("runs", MAX_RUNS)
                .set("oldest", oldest)
                .set("limit", limit));
  }
}
