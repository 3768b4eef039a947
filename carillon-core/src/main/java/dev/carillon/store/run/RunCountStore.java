package dev.carillon.store.run;

import dev.carillon.model.RunCounts;
import dev.carillon.model.RunState;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.Row;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Counts of finished runs by hour of their slots, target and state.
 *
 * <p>Each end of runs inserts a delta in the same transaction, so the sums are exact, and nodes
 * that end runs of the same target do not wait for each other.
 */
public final class RunCountStore {
  private final Database database;

  public RunCountStore(Database database) {
    this.database = database;
  }

  /** Fold the deltas into the counts; return how many there were. */
  public int fold() {
    return database.one(
        "fold run counts",
        """
        with mark as (
          delete from carillon.run_count_delta
          returning hour, target, state, runs),
        folded as (
          insert into carillon.run_count as run_count (hour, target, state, runs)
          select hour, target, state, sum(runs)
            from mark
           group by hour, target, state
           order by hour, target, state
              on conflict (hour, target, state)
              do update set runs = run_count.runs + excluded.runs)
        select count(*)::int as marks
          from mark
        """,
        row -> row.integer("marks"));
  }

  /** Count the runs of the hours from {@code from} up to {@code until} by state. */
  public Map<RunState, Long> byState(Instant from, Instant until) {
    var counts = new EnumMap<RunState, Long>(RunState.class);
    database.query(
        "count by state",
        """
        select state, sum(runs)::bigint as runs
          from carillon.exact_run_count
         where hour >= :from
           and hour < :until
         group by state
        having sum(runs) <> 0
        """,
        bind -> bind.set("from", hour(from)).set("until", until),
        row -> counts.put(state(row), row.number("runs")));
    return counts;
  }

  /** Count the runs of each of the hours from {@code from} up to {@code until} by state. */
  public List<RunCounts<Instant>> byHour(Instant from, Instant until) {
    return counts(
        "count by hour",
        """
        select hour, state, sum(runs)::bigint as runs
          from carillon.exact_run_count
         where hour >= :from
           and hour < :until
         group by hour, state
        having sum(runs) <> 0
         order by hour, state
        """,
        from,
        until,
        row -> row.instant("hour"));
  }

  /** Count the runs of each target in the hours from {@code from} up to {@code until} by state. */
  public List<RunCounts<String>> byTarget(Instant from, Instant until) {
    return counts(
        "count by target",
        """
        select target, state, sum(runs)::bigint as runs
          from carillon.exact_run_count
         where hour >= :from
           and hour < :until
         group by target, state
        having sum(runs) <> 0
         order by target, state
        """,
        from,
        until,
        row -> row.text("target"));
  }

  private <T> List<RunCounts<T>> counts(
      String name, String sql, Instant from, Instant until, Function<Row, T> of) {
    var counts = new LinkedHashMap<T, Map<RunState, Long>>();
    database.query(
        name,
        sql,
        bind -> bind.set("from", hour(from)).set("until", until),
        row ->
            counts
                .computeIfAbsent(of.apply(row), key -> new EnumMap<>(RunState.class))
                .put(state(row), row.number("runs")));
    return counts.entrySet().stream()
        .map(entry -> new RunCounts<>(entry.getKey(), entry.getValue()))
        .toList();
  }

  /** Delete up to {@code limit} counts of hours before {@code oldest}; return how many. */
  public int sweep(Instant oldest, int limit) {
    return database.update(
        "sweep run counts",
        """
        delete from carillon.run_count
         where ctid = any (array(select ctid
                                   from carillon.run_count
                                  where hour < :oldest
                                  limit :limit))
        """,
        bind -> bind.set("oldest", oldest).set("limit", limit));
  }

  private static Instant hour(Instant at) {
    return at.truncatedTo(ChronoUnit.HOURS);
  }

  private static RunState state(Row row) {
    return row.constant("state", RunState.class);
  }
}
