package dev.carillon.benchmarks.measure;

import com.zaxxer.hikari.HikariDataSource;
import dev.carillon.Carillon;
import dev.carillon.CarillonBuilder;
import dev.carillon.RunDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.bench.Sql;
import dev.carillon.model.ScheduleFilter;
import dev.carillon.policy.CalendarPolicy;
import dev.carillon.store.run.HistoryStore;
import dev.carillon.time.business.BusinessCalendar;
import dev.carillon.time.business.Roll;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * What a console has to show after a month: many schedules that fire once a week, none of them
 * before the day after tomorrow, so that the server is idle; ten that are paused, after one run a
 * minute; and what became of all of them. One run in a hundred failed.
 */
record ConsoleFill(Database database, int schedules, int runs) {
  static final int DAYS = 30;
  static final int BUSY = 10;
  static final int TARGETS = 20;
  static final int TEAMS = 25;
  static final int CUSTOMERS = 5_000;
  private static final int BUSY_RUNS = BUSY * 1_440;
  private static final ZoneId ROME = ZoneId.of("Europe/Rome");

  static String key(int number) {
    return String.format(Locale.ROOT, "team-%02d-job-%06d", number % TEAMS, number);
  }

  static String busyKey(int number) {
    return "every-minute-" + number;
  }

  void fill() throws InterruptedException {
    Instant end = Instant.now().truncatedTo(ChronoUnit.MINUTES);
    try (HikariDataSource pool = database.pool()) {
      define(pool);
      new HistoryStore(new dev.carillon.store.jdbc.Database(pool))
          .prepare(end.minus(Duration.ofDays(DAYS)), end.plus(Duration.ofDays(28)));
    }
    Sql sql = database.sql();
    for (int day = DAYS; day > 0; day--) {
      Instant from = end.minus(Duration.ofDays(day));
      fillDay(sql, from, day);
    }
    sql.run(
        """
        insert into carillon.run_count (hour, target, state, runs)
        select date_bin('1 hour', slot, 'epoch'), target, state, count(*)
          from carillon.history
         group by 1, 2, 3
        """);
    fillRecords(sql, end);
    sql.run("vacuum (freeze, analyze)");
  }

  private void define(HikariDataSource pool) {
    CarillonBuilder builder = Carillon.builder().dataSource(pool);
    for (int i = 0; i < TARGETS; i++) {
      builder.target(target(i), context -> {});
    }
    try (Carillon carillon = builder.build()) {
      carillon.calendars().save(BusinessCalendar.named("it", ROME).build());
      var drafts = carillon.schedules();
      drafts.createAll(IntStream.range(0, schedules).mapToObj(this::weekly));
      drafts.createAll(
          IntStream.range(0, BUSY)
              .mapToObj(
                  i ->
                      ScheduleDraft.named(busyKey(i))
                          .target(target(i))
                          .cron("* * * * *", "UTC")
                          .tags("on-hold")));
      drafts.pauseAll(ScheduleFilter.all().tag("on-hold"), "wait for the new ledger");
      carillon
          .runs()
          .enqueueAll(
              IntStream.range(0, 500)
                  .mapToObj(i -> RunDraft.of(target(i)).payload("number", i).in(Duration.ofDays(3)))
                  .toList());
    }
  }

  static String target(int number) {
    return "target-" + number % TARGETS;
  }

  private ScheduleDraft weekly(int number) {
    int weekday =
        (Instant.now().atZone(ZoneOffset.UTC).getDayOfWeek().getValue() + 2 + number % 4) % 7;
    ScheduleDraft draft =
        ScheduleDraft.named(key(number))
            .target(target(number))
            .cron(
                number / 24 % 60 + " " + number % 24 + " * * " + weekday,
                number % 3 == 0 ? "Europe/Rome" : "UTC")
            .payload(Map.of("customer", number % CUSTOMERS, "region", "eu-" + number % 7))
            .tags("team-" + number % TEAMS, number % 100 == 0 ? "on-hold" : "weekly")
            .description("Export of ledger " + number);
    if (number % 20 == 1) {
      return draft.jitter(Duration.ofSeconds(30));
    }
    return number % 20 == 2 ? draft.calendar(CalendarPolicy.of("it", Roll.FOLLOWING)) : draft;
  }

  /* Of those that ran every minute, and of some of the others, in the order of slots. */
  private void fillDay(Sql sql, Instant from, int day) {
    int others = Math.max(0, runs / DAYS - BUSY_RUNS);
    sql.run(
        """
        with named as (
          select array_agg(id order by key) filter (where key like 'every-minute-%') as busy,
                 array_agg(id order by key) filter (where key not like 'every-minute-%') as others
            from carillon.schedule),
        planned as (
          select busy[i] as id, 'target-' || i - 1 as target, ?::timestamptz + minute * interval '1 minute' as slot,
                 minute * 7919 + i as number
            from named, generate_series(1, ?) as i, generate_series(0, 1439) as minute
           union all
          select others[1 + (k * 37::bigint + ? * 7919) % ?], 'target-' || k % ?,
                 ?::timestamptz + k * 86400.0 / ? * interval '1 second', k
            from named, generate_series(0, ? - 1) as k),
        made as (
          select id, target, date_trunc('second', slot) as slot, number, (number * 104729::bigint + ?) % 200 as luck
            from planned),
        judged as (
          select made.*, case when luck in (0, 100) then 'failed' when luck = 50 then 'skipped' else 'succeeded' end as state
            from made),
        ranked as (
          select judged.*, row_number() over (partition by target, slot, state order by id) as place
            from judged)
        insert into carillon.history
               (schedule_id, slot, ordinal, version, trigger, target, payload, due_at, state, attempt, overlap, node_id,
                started_at, finished_at, failure_code, failure_message, failure_details, reason, sampled)
        select id, slot, 0, 1, 'scheduled', target, jsonb_build_object('customer', number % 5000, 'region', 'eu-' || number % 7),
               slot, state, 1, 'skip', '00000000-0000-0000-0000-000000000001',
               case when state <> 'skipped' then slot + number % 50 * interval '1 millisecond' end,
               slot + number % 3000 * interval '1 millisecond',
               case when state = 'failed' then (array['http_500', 'timeout', 'exception'])[1 + number % 3] end,
               case when state = 'failed'
                    then 'ledger ' || number % 40 || ' did not answer within ' || number % 3000 || ' ms' end,
               case when state = 'failed' then repeat('at dev.example.Ledger.export(Ledger.java:42)' || chr(10), 20) end,
               case when state = 'skipped' then 'the run before is not over' end,
               state = 'succeeded' and place = 1
          from ranked
         order by slot
        """,
        from.atOffset(ZoneOffset.UTC),
        BUSY,
        day,
        schedules,
        TARGETS,
        from.atOffset(ZoneOffset.UTC),
        Math.max(1, others),
        others,
        day);
  }

  private void fillRecords(Sql sql, Instant end) {
    sql.run(
        """
        insert into carillon.decision
               (schedule_id, first_slot, last_slot, slots, reason, version, decided_at)
        select id, ?::timestamptz - n * interval '31 minutes', ?::timestamptz - n * interval '31 minutes', 1,
               (array['missed', 'paused', 'limit'])[1 + n % 3], 1, ?::timestamptz - n * interval '31 minutes'
          from carillon.schedule, generate_series(1, case when key like 'every-minute-%' then 1000 else 1 end) as n
        """,
        end.atOffset(ZoneOffset.UTC), end.atOffset(ZoneOffset.UTC), end.atOffset(ZoneOffset.UTC));
    sql.run(
        """
        insert into carillon.audit (at, actor, action, schedule_id, details)
        select ?::timestamptz - (200000 - n) * interval '13 seconds', 'user-' || n % 50,
               (array['schedule.updated', 'schedule.paused', 'schedule.resumed', 'schedule.missed'])[1 + n % 4],
               ids.id[1 + n * 37::bigint % cardinality(ids.id)], '{"reason": "as agreed"}'
          from generate_series(1, 200000) as n, (select array_agg(id order by id) as id from carillon.schedule) as ids
        """,
        end.atOffset(ZoneOffset.UTC));
    sql.run(
        """
        insert into carillon.failure_streak (schedule_id, failures, since)
        select id, 1 + id % 9, ?::timestamptz - interval '1 day'
          from carillon.schedule
         where id % 300 = 0
        """,
        end.atOffset(ZoneOffset.UTC));
  }
}
