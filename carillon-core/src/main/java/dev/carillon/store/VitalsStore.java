package dev.carillon.store;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/** Takes the pulse of the cluster by statements that stay cheap, however much waits. */
public final class VitalsStore {
  /* Whoever is told that more than this many wait need not know how many. */
  private static final int MOST_COUNTED = 10_000;

  private final Database database;

  public VitalsStore(Database database) {
    this.database = database;
  }

  /**
   * Take the pulse.
   *
   * @param node this node
   * @param grace how late something may be before it counts as missed
   * @param worst how many failing schedules to name, at most
   */
  public Vitals take(UUID node, Instant now, Duration grace, int worst) {
    Instant late = now.minus(grace);
    Map<String, Long> nodes = nodes(node, now);
    return new Vitals(
        counts(
            "count schedules",
            """
            select status as name, count(*) as many
              from carillon.schedule
             group by status
            """),
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
        failing(worst));
  }

  private Map<String, Long> counts(String name, String sql) {
    var counts = new LinkedHashMap<String, Long>();
    database.query(name, sql, row -> counts.put(row.text("name"), row.number("many")));
    return counts;
  }

  private Map<String, Long> nodes(UUID node, Instant now) {
    var counts = new LinkedHashMap<String, Long>();
    database.query(
        "count nodes",
        """
        select case when id = :node then 'here' else 'elsewhere' end as name, count(*) as many
          from carillon.node
         where lease_until > :now
         group by 1
        """,
        bind -> bind.set("node", node).set("now", now),
        row -> counts.put(row.text("name"), row.number("many")));
    return counts;
  }

  private long due(Instant by) {
    return database
        .query(
            "count cursors to plan",
            """
            select count(*) as many
              from (select 1
                      from carillon.cursor
                     where plan_by <= :by
                     limit :most) as due
            """,
            bind -> bind.set("by", by).set("most", MOST_COUNTED),
            row -> row.number("many"))
        .get(0);
  }

  private long late(Instant late) {
    return database
        .query(
            "count late runs",
            """
            select count(*) as many
              from (select 1
                      from carillon.run
                     where state = 'pending'
                       and wake_at <= :late
                     limit :most) as late
            """,
            bind -> bind.set("late", late).set("most", MOST_COUNTED),
            row -> row.number("many"))
        .get(0);
  }

  private long stalled(Instant now, Instant late) {
    return database
        .query(
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
            bind -> bind.set("now", now).set("late", late).set("most", MOST_COUNTED),
            row -> row.number("many"))
        .get(0);
  }

  private Map<String, Long> failing(int worst) {
    var failing = new LinkedHashMap<String, Long>();
    database.query(
        "list failing schedules",
        """
        select schedule.key, failing.failures::bigint as failures
          from carillon.failing
          join carillon.schedule
            on schedule.id = failing.schedule_id
         where schedule.status <> 'retired'
         order by failing.failures desc, schedule.key
         limit :worst
        """,
        bind -> bind.set("worst", worst),
        row -> failing.put(row.text("key"), row.number("failures")));
    return failing;
  }
}
