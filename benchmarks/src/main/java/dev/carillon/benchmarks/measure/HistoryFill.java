package dev.carillon.benchmarks.measure;

import dev.carillon.bench.Contender;
import dev.carillon.benchmarks.contender.Entrant;
import dev.carillon.store.run.HistoryStore;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Map;

/**
 * Writes the finished runs of a month straight into the history: those of a thousand schedules and,
 * one in eleven, ad-hoc ones, of twenty targets; one in a hundred failed, one in two hundred was
 * skipped.
 */
record HistoryFill(Entrant entrant, Database database, int runs) {
  static final int DAYS = 30;
  static final int SCHEDULES = 1_000;
  static final int TARGETS = 20;
  private static final int PER_ROUND = SCHEDULES * 11 / 10;

  Map<String, String> fill() throws InterruptedException {
    Instant end = Instant.now().truncatedTo(ChronoUnit.HOURS);
    try (var pool = database.pool();
        Contender contender = entrant.open(pool)) {
      contender.addIdle(SCHEDULES, added -> {});
      new HistoryStore(new dev.carillon.store.jdbc.Database(pool))
          .prepare(end.minus(Duration.ofDays(DAYS)), end.plus(Duration.ofDays(28)));
    }
    for (int day = DAYS; day > 0; day--) {
      fillDay(end.minus(Duration.ofDays(day)), day);
    }
    database
        .sql()
        .run(
            """
            insert into carillon.run_count (hour, target, state, runs)
            select date_bin('1 hour', slot, 'epoch'), target, state, count(*)
              from carillon.history
             group by 1, 2, 3
            """);
    database.awaitSilence();
    database.sql().run("vacuum (freeze, analyze)");
    return Map.of();
  }

  /* In the order of slots, as they would have come. Successes are so far apart that each is the only
   * one of its target and second. */
  private void fillDay(Instant day, int number) {
    int rounds = Math.max(1, runs / DAYS / PER_ROUND);
    database
        .sql()
        .run(
            """
            with made as (
              select round, i, ?::timestamptz + floor(86400.0 * round / ?) * interval '1 second'
                     + i % 97 * interval '1 second' as slot, (i * 7919 + round * 104729 + ?) % 200 as luck
                from generate_series(0, ? - 1) as round, generate_series(1, ?) as i)
            insert into carillon.history
                   (schedule_id, slot, ordinal, version, trigger, target, payload, due_at, state, attempt, overlap,
                    node_id, started_at, finished_at, failure_code, failure_message, reason, sampled)
            select case when i <= ? then ids.id[i] else nextval('carillon.schedule_id_seq') end, slot, 0, 1,
                   case when i <= ? then 'scheduled' else 'ad_hoc' end, 'target-' || i % ?, '{"number": 12345}', slot,
                   case luck when 0 then 'failed' when 100 then 'failed' when 50 then 'skipped' else 'succeeded' end,
                   1, 'skip', '00000000-0000-0000-0000-000000000001', slot, slot + interval '30 milliseconds',
                   case when luck in (0, 100) then 'boom' end, case when luck in (0, 100) then 'it went wrong' end,
                   case when luck = 50 then 'the run before is not over' end, luck not in (0, 50, 100)
              from made, (select array_agg(id order by id) as id from carillon.schedule) as ids
             order by slot
            """,
            day.atOffset(ZoneOffset.UTC),
            rounds,
            number,
            rounds,
            PER_ROUND,
            SCHEDULES,
            SCHEDULES,
            TARGETS);
  }
}
