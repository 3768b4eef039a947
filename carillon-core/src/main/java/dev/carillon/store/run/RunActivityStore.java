package dev.carillon.store.run;

import dev.carillon.model.RunActivity;
import dev.carillon.model.RunActivity.Lateness;
import dev.carillon.model.RunCounts;
import dev.carillon.model.RunState;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.Pages;
import dev.carillon.store.jdbc.Transaction;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What ran of late, by the minute: read from the history itself, along its indexes by slot, and
 * from no more of it than a bounded number of the latest runs.
 */
public final class RunActivityStore {
  private final Database database;
  private final int mostRuns;

  /**
   * @param mostRuns how many runs of each state are looked at
   */
  public RunActivityStore(Database database, int mostRuns) {
    this.database = database;
    this.mostRuns = mostRuns;
  }

  /** Return what ran in the period, both minutes and lateness as of one moment. */
  public RunActivity between(Instant from, Instant until) {
    return database.inOneTransaction(
        tx -> {
          Instant complete = completeFrom(tx, from, until);
          return new RunActivity(
              complete, byMinute(tx, complete, until), lateness(tx, complete, until));
        });
  }

  private Instant completeFrom(Transaction tx, Instant from, Instant until) {
    return tx.first(
            "find where the latest runs begin",
            """
            select slot
              from carillon.ended_run
             where state = 'succeeded'
               and slot >= :from
               and slot < :until
             order by slot desc
            offset :most
             limit 1
            """,
            bind -> bind.set("from", from).set("until", until).set("most", mostRuns),
            row -> row.instant("slot"))
        .map(last -> last.plusNanos(1_000))
        .orElse(from);
  }

  private static List<RunCounts<Instant>> byMinute(Transaction tx, Instant from, Instant until) {
    var counts = new LinkedHashMap<Instant, Map<RunState, Long>>();
    tx.query(
        "count by minute",
        """
        select date_trunc('minute', slot) as minute, state, count(*) as runs
          from carillon.ended_run
         where slot >= :from
           and slot < :until
         group by minute, state
         order by minute, state
        """,
        bind -> bind.set("from", from).set("until", until),
        row ->
            counts
                .computeIfAbsent(row.instant("minute"), minute -> new EnumMap<>(RunState.class))
                .put(row.constant("state", RunState.class), row.number("runs")));
    return counts.entrySet().stream()
        .map(entry -> new RunCounts<>(entry.getKey(), entry.getValue()))
        .toList();
  }

  /**
   * Count the runs of the schedule called {@code key} by the day of their slots on the clock of
   * {@code zone}: the latest of them, if there are many.
   */
  public List<RunCounts<LocalDate>> byDay(String key, Instant from, Instant until, ZoneId zone) {
    var counts = new LinkedHashMap<LocalDate, Map<RunState, Long>>();
    database.inTransaction(
        tx -> {
          Pages.alongIndexes(tx);
          return tx.query(
              "count by day",
              """
              select (latest.slot at time zone :zone)::date::text as day, latest.state, count(*) as runs
                from (select slot, state
                        from carillon.any_run
                       where schedule_id = (select id from carillon.schedule where key = :key)
                         and state <> 'pending'
                         and slot >= :from
                         and slot < :until
                       order by slot desc
                       limit :most) as latest
               group by day, latest.state
               order by day, latest.state
              """,
              bind ->
                  bind.set("key", key)
                      .set("zone", zone.getId())
                      .set("from", from)
                      .set("until", until)
                      .set("most", mostRuns),
              row ->
                  counts
                      .computeIfAbsent(
                          LocalDate.parse(row.text("day")), day -> new EnumMap<>(RunState.class))
                      .put(row.constant("state", RunState.class), row.number("runs")));
        });
    return counts.entrySet().stream()
        .map(entry -> new RunCounts<>(entry.getKey(), entry.getValue()))
        .toList();
  }

  private static Optional<Lateness> lateness(Transaction tx, Instant from, Instant until) {
    return tx.first(
        "measure lateness",
        """
        with started as (
          select schedule_id, slot, ordinal,
                 greatest(0, extract(epoch from started_at - due_at) * 1000)::bigint as late
            from carillon.ended_run
           where slot >= :from
             and slot < :until
             and started_at is not null
             and attempt = 1),
        summary as (
          select count(*) as runs,
                 percentile_disc(0.5) within group (order by late) as median,
                 percentile_disc(0.99) within group (order by late) as p99
            from started)
        select summary.runs, summary.median, summary.p99, started.late, started.schedule_id, started.slot,
               started.ordinal
          from summary
         cross join started
         order by started.late desc
         limit 1
        """,
        bind -> bind.set("from", from).set("until", until),
        row ->
            new Lateness(
                row.number("runs"),
                row.number("median"),
                row.number("p99"),
                row.number("late"),
                RunRows.toId(row)));
  }
}
