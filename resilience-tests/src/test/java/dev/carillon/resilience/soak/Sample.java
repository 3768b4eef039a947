package dev.carillon.resilience.soak;

import dev.carillon.resilience.cluster.Cluster;
import dev.carillon.resilience.cluster.NodeProcess;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the processes and tables hold at one moment.
 *
 * @param second when, from the beginning of the soak
 * @param values figures by their names, always in the same order
 */
record Sample(long second, Map<String, Long> values) {
  private static final String HISTORY_ROWS = "rows of history";
  private static final long KIB = 1024;
  private static final List<String> LIVE_TABLES =
      List.of("run", "lane", "cursor", "node", "node_target", "failure_streak", "run_count_delta");

  static Sample take(long second, Cluster cluster) {
    var values = new LinkedHashMap<String, Long>();
    List<NodeProcess> nodes = cluster.nodes();
    for (NodeProcess node : nodes) {
      String of = " of " + node.name();
      values.put("live heap" + of + ", KiB", node.isAlive() ? node.liveBytes() / 1024 : 0);
      values.put("threads" + of, node.threads());
      values.put("open files" + of, node.openFiles());
    }
    /* The node at work has 64 connections to the journal, the other none, and faults swap them. */
    values.put("open files of both nodes", nodes.stream().mapToLong(NodeProcess::openFiles).sum());
    var postgres = cluster.postgres();
    values.put(
        "database connections",
        postgres.number("select count(*) from pg_stat_activity where usename = 'carillon'"));
    var counts = new ArrayList<String>();
    for (String table : LIVE_TABLES) {
      counts.add("(select count(*) from carillon.%s)".formatted(table));
    }
    List<String> rows = postgres.rows("select " + String.join(", ", counts)).get(0);
    for (int i = 0; i < LIVE_TABLES.size(); i++) {
      values.put("rows of " + LIVE_TABLES.get(i), Long.valueOf(rows.get(i)));
    }
    String names = "'" + String.join("', '", LIVE_TABLES) + "'";
    for (List<String> table :
        postgres.rows(
            """
            select relname, pg_total_relation_size(relid) / %s, n_dead_tup
              from pg_stat_user_tables
             where schemaname = 'carillon' and relname in ('run', 'lane', 'cursor')
             order by relname"""
                .formatted(KIB))) {
      values.put("size of %s, KiB".formatted(table.get(0)), Long.valueOf(table.get(1)));
      values.put("dead rows of " + table.get(0), Long.valueOf(table.get(2)));
    }
    values.put(
        "size of all live tables, KiB",
        postgres.number(
            """
            select (sum(pg_total_relation_size(relid)) / %s)::bigint
              from pg_stat_user_tables
             where schemaname = 'carillon' and relname in (%s)"""
                .formatted(KIB, names)));
    values.put(
        HISTORY_ROWS,
        postgres.number(
            """
            select coalesce(sum(n_tup_ins), 0)::bigint
              from pg_stat_user_tables
             where schemaname = 'carillon' and relname like 'history%'"""));
    return new Sample(second, values);
  }

  /** Return how many runs have ended. */
  long historyRows() {
    return values.getOrDefault(HISTORY_ROWS, 0L);
  }
}
