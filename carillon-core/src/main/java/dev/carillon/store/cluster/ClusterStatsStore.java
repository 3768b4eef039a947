package dev.carillon.store.cluster;

import dev.carillon.store.calendar.CalendarCoverage;
import dev.carillon.store.jdbc.Database;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Reads figures of the cluster by statements of bounded cost. */
public final class ClusterStatsStore {
  private static final int MAX_COUNTED = 10_000;
  private static final int MAX_SILENT_SHOWN = 10;

  /* With more schedules than this, only failing ones are listed. */
  private static final int MAX_LISTED_SCHEDULES = 100;

  private static final int MAX_CALENDARS = 50;

  private final Database database;

  public ClusterStatsStore(Database database) {
    this.database = database;
  }

  /**
   * Read the figures.
   *
   * @param grace how late a run may be before it counts as missed
   * @param worst the most failing schedules to list
   */
  public ClusterStats take(UUID node, Instant now, Duration grace, int worst) {
    Instant late = now.minus(grace);
    Map<String, Long> nodes = nodes(node, now);
    return new ClusterStats(
        schedules(),
        counts(
            "count live runs",
            """
            select state as name, count(*) as many
              from carillon.run
             group by state
            """),
        due(now),
        due(late) + late(late),
        stalled(now, late),
        nodes.values().stream().mapToLong(Long::longValue).sum(),
        nodes.containsKey("here"),
        deadLetters(),
        lastSuccesses(worst),
        silent(),
        silentCount(),
        failing(worst),
        CalendarCoverage.daysLeft(database, now, MAX_CALENDARS));
  }

  /** Count the schedules by status. */
  public Map<String, Long> schedules() {
    return counts(
        "count schedules",
        """
        select case when completed then 'completed' else status end as name, count(*) as many
          from carillon.schedule
         group by 1
        """);
  }

  private Map<String, Long> counts(String name, String sql) {
    return database.map(name, sql, bind -> {}, row -> row.text("name"), row -> row.number("many"));
  }

  private Map<String, Long> nodes(UUID node, Instant now) {
    return database.map(
        "count nodes",
        """
        select case when id = :node then 'here' else 'elsewhere' end as name, count(*) as many
          from carillon.node
         where lease_until > :now
         group by 1
        """,
        bind -> bind.set("node", node).set("now", now),
        row -> row.text("name"),
        row -> row.number("many"));
  }

  private long due(Instant by) {
    return database.one(
        "count cursors to plan",
        """
        select count(*) as many
          from (select 1
                  from carillon.cursor
                 where plan_by <= :by
                 limit :most) as due
        """,
        bind -> bind.set("by", by).set("most", MAX_COUNTED),
        row -> row.number("many"));
  }

  private long late(Instant late) {
    return database.one(
        "count late runs",
        """
        select count(*) as many
          from (select 1
                  from carillon.run
                 where state = 'pending'
                   and wake_at <= :late
                 limit :most) as late
        """,
        bind -> bind.set("late", late).set("most", MAX_COUNTED),
        row -> row.number("many"));
  }

  private long stalled(Instant now, Instant late) {
    return database.one(
        "count stalled runs",
        """
        select count(*) as many
          from (select 1
                  from carillon.run
                  left join carillon.node
                    on node.id = run.node_id
                   and node.epoch = run.node_epoch
                 where run.state = 'running'
                   and (run.expires_at <= :late
                        or (run.node_epoch > 0 and coalesce(node.lease_until <= :now, true)))
                 limit :most) as stalled
        """,
        bind -> bind.set("now", now).set("late", late).set("most", MAX_COUNTED),
        row -> row.number("many"));
  }

  private long deadLetters() {
    return database.one(
        "count dead letters",
        """
        select count(*) as many
          from (select 1
                  from carillon.history
                 where state = 'failed'
                   and not exists (select 1
                                     from carillon.dismissal
                                    where dismissal.schedule_id = history.schedule_id
                                      and dismissal.slot = history.slot
                                      and dismissal.ordinal = history.ordinal
                                      and dismissal.attempt = history.attempt)
                 limit :most) as dead
        """,
        bind -> bind.set("most", MAX_COUNTED),
        row -> row.number("many"));
  }

  /* For a failing schedule, the search begins at its first failure, to read less history. */
  private Map<String, Instant> lastSuccesses(int worst) {
    return database.map(
        "find last successes",
        """
        with fit as materialized (
          select id, key
            from carillon.schedule
           where status in ('active', 'paused')
           order by id
           limit :few + 1),
        named as (
          select id, key
            from fit
           where (select count(*) from fit) <= :few
           union
          (select schedule.id, schedule.key
             from carillon.failure_streak
             join carillon.schedule
               on schedule.id = failure_streak.schedule_id
            where schedule.status in ('active', 'paused')
            order by failure_streak.failures desc, schedule.key
            limit :worst))
        select named.key, last.finished_at
          from named
          left join carillon.failure_streak
            on failure_streak.schedule_id = named.id
         cross join lateral (
               select history.finished_at
                 from carillon.history
                where history.schedule_id = named.id
                  and history.slot <= coalesce(failure_streak.since, 'infinity')
                  and history.state = 'succeeded'
                order by history.slot desc
                limit 1) as last
         order by named.key
        """,
        bind -> bind.set("few", MAX_LISTED_SCHEDULES).set("worst", worst),
        row -> row.text("key"),
        row -> row.instant("finished_at"));
  }

  /** Return the kind of timing of schedules by key: cron, every, calendar or once. */
  public Map<String, String> timings(Collection<String> keys) {
    return database.map(
        "find what times schedules",
        """
        select schedule.key,
               case when version.definition -> 'timing' -> 'cron' is not null then 'cron'
                    when version.definition -> 'timing' -> 'every' is not null then 'every'
                    when version.definition -> 'timing' -> 'calendar' is not null then 'calendar'
                    else 'once' end as timing
          from unnest(:keys) as wanted (key)
          join carillon.schedule
            on schedule.key = wanted.key
          join carillon.schedule_version as version
            on version.schedule_id = schedule.id and version.version = schedule.version
        """,
        bind -> bind.array("keys", "text", keys, key -> key),
        row -> row.text("key"),
        row -> row.text("timing"));
  }

  private List<String> silent() {
    return database.query(
        "list silent schedules",
        """
        select key
          from (select schedule.key, expectation.silent_since
                  from carillon.expectation
                  join carillon.schedule
                    on schedule.id = expectation.schedule_id
                 where expectation.silent_since is not null
                   and schedule.status = 'active'
                 union all
                select 'ping ' || key, down_since
                  from carillon.ping_check
                 where down_since is not null) as silent
         order by silent_since, key
         limit :most
        """,
        bind -> bind.set("most", MAX_SILENT_SHOWN),
        row -> row.text("key"));
  }

  private long silentCount() {
    return database.one(
        "count silent schedules",
        """
        select count(*) as many
          from (select 1
                  from carillon.expectation
                  join carillon.schedule
                    on schedule.id = expectation.schedule_id
                 where expectation.silent_since is not null
                   and schedule.status = 'active'
                 union all
                select 1
                  from carillon.ping_check
                 where down_since is not null
                 limit :most) as silent
        """,
        bind -> bind.set("most", MAX_COUNTED),
        row -> row.number("many"));
  }

  private Map<String, Long> failing(int worst) {
    return database.map(
        "list failing schedules",
        """
        select schedule.key, failure_streak.failures::bigint as failures
          from carillon.failure_streak
          join carillon.schedule
            on schedule.id = failure_streak.schedule_id
         where schedule.status <> 'retired'
         order by failure_streak.failures desc, schedule.key
         limit :worst
        """,
        bind -> bind.set("worst", worst),
        row -> row.text("key"),
        row -> row.number("failures"));
  }
}
