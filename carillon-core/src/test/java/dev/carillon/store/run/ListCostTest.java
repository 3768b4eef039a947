package dev.carillon.store.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.UnsizedPool;
import dev.carillon.model.AuditFilter;
import dev.carillon.model.Payload;
import dev.carillon.model.RunFilter;
import dev.carillon.model.RunState;
import dev.carillon.model.Schedule;
import dev.carillon.model.ScheduleFilter;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.model.Trigger;
import dev.carillon.testing.ManualCarillon;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a page costs among many schedules, runs and changes, counted and not timed. */
@ExtendWith(EmbeddedPostgres.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ListCostTest {
  private static final int SCHEDULES = 40_000;

  private final Belfry belfry;
  private final ManualCarillon node;

  ListCostTest(DataSource postgres) {
    belfry = new Belfry(UnsizedPool.of(postgres));
    node = belfry.node(builder -> builder.remoteTarget("bell").remoteTarget("seldom"));
  }

  @AfterAll
  void close() {
    belfry.close();
  }

  @BeforeAll
  void fill() {
    belfry
        .psql()
        .execute(
            """
            with made as (
              insert into carillon.schedule (key, version, created_at, created_by, updated_at, updated_by)
              select 'key-' || i, 1, 'epoch', 'ada', 'epoch', 'ada'
                from generate_series(1, ?) as i
              returning id, substr(key, 5)::int as i),
            placed as (
              insert into carillon.cursor (schedule_id, planned_through, tzdb_version)
              select id, 'epoch', 'any'
                from made),
            told as (
              insert into carillon.audit (at, actor, action, schedule_id)
              select 'epoch', case when i = 20000 then 'eve' else 'ada' end, 'schedule.created', id
                from made)
            insert into carillon.schedule_version
                   (schedule_id, version, target, payload, definition, created_at, created_by)
            select id, 1, case when i % 10000 = 0 then 'seldom' else 'bell' end,
                   case when i % 10000 = 1 then '{"n": 1}' else '{"all": true}' end::jsonb,
                   '{"timing": {"every": "PT1H"}}', 'epoch', 'ada'
              from made
            """,
            SCHEDULES);
    belfry.psql().execute("vacuum carillon.schedule_version"); // so that its index is in order
    belfry
        .psql()
        .execute("vacuum carillon.audit"); // or it is done meanwhile, and its reading counts
    belfry
        .psql()
        .execute(
            """
            insert into carillon.history
                   (schedule_id, slot, ordinal, version, trigger, target, payload, due_at, state, attempt, finished_at,
                    sampled)
            select i % 100, slot, 0, 1, 'scheduled', 'bell', '{}', slot, 'succeeded', 1, slot, true
              from (select i, ?::timestamptz - i * interval '4 seconds' as slot
                      from generate_series(1, 30000) as i) as made
            """,
            belfry.clock().instant());
    belfry
        .psql()
        .execute(
            """
            insert into carillon.history
                   (schedule_id, slot, ordinal, version, trigger, target, payload, due_at, state, attempt, finished_at,
                    sampled)
            select schedule.id, slot, 0, 1, 'scheduled', 'seldom', '{}', slot, 'succeeded', 1, slot, true
              from carillon.schedule
             cross join (select ?::timestamptz - interval '10 days' - i * interval '1 minute' as slot
                           from generate_series(1, 20000) as i) as made
             where schedule.key = 'key-30000'
            """,
            belfry.clock().instant());
  }

  private record Look(String what, int most, Consumer<ManualCarillon> at) {
    @Override
    public String toString() {
      return what;
    }
  }

  private static Look schedules(String what, int most, ScheduleFilter filter) {
    return new Look(what, most, node -> node.schedules().page(filter, Optional.empty(), 20));
  }

  private static Look runs(String what, int most, RunFilter filter) {
    return new Look(what, most, node -> node.runs().page(filter, Optional.empty(), 20));
  }

  private static Look audit(String what, int most, AuditFilter filter) {
    return new Look(what, most, node -> node.schedules().auditPage(filter, Optional.empty(), 20));
  }

  static Stream<Look> looks() {
    ScheduleFilter all = ScheduleFilter.all();
    return Stream.of(
        schedules("all schedules", 1_000, all),
        schedules("a rare target", 1_000, all.target("seldom")),
        schedules("a common target", 4_000, all.target("bell")),
        schedules("a target of none", 1_000, all.target("nobody")),
        schedules("a rare payload", 1_000, all.payload(Payload.of("n", 1))),
        schedules("a common payload", 6_000, all.payload(Payload.of("all", true))),
        schedules("a text that many have", 1_000, all.text("KEY")),
        schedules("a text that none has", 50_000, all.text("nothing")),
        schedules("a tag that none has", 50_000, all.tag("nothing")),
        schedules("a status that none has", 50_000, all.status(ScheduleStatus.PAUSED)),
        runs("all runs", 400, RunFilter.all()),
        new Look(
            "a large page of a target",
            4_000,
            node -> node.runs().page(RunFilter.all().target("bell"), Optional.empty(), 200)),
        runs("the schedule with most runs", 400, RunFilter.bySchedule("key-30000")),
        runs(
            "failures of the schedule with most runs",
            400,
            RunFilter.bySchedule("key-30000").state(RunState.FAILED)),
        runs("runs with a rare trigger", 8_000, RunFilter.all().trigger(Trigger.MANUAL)),
        runs("runs of an unknown node", 8_000, RunFilter.all().node(UUID.randomUUID())),
        runs("runs with a text", 8_000, RunFilter.all().text("nothing")),
        runs(
            "runs of a target with a rare trigger",
            8_000,
            RunFilter.all().target("bell").trigger(Trigger.MANUAL)),
        audit("all of the audit", 200, AuditFilter.all()),
        audit("the audit of a schedule", 200, AuditFilter.bySchedule("key-30000")),
        audit("a rare actor", 21_000, AuditFilter.all().actor("eve")));
  }

  /* As often as it takes until the database keeps a plan. */
  @Test
  void a_page_reads_few_rows() {
    for (boolean analyzed : List.of(false, true)) {
      if (analyzed) {
        belfry
            .psql()
            .execute(
                "analyze carillon.schedule, carillon.schedule_version, carillon.cursor,"
                    + " carillon.history, carillon.audit");
      }
      assertThat(looks())
          .allSatisfy(
              look -> {
                for (int time = 0; time < 12; time++) {
                  assertThat(cost(look)).as("analyzed: %s", analyzed).isLessThan(look.most);
                }
              });
    }
  }

  /* Those of this test alone: a list of all runs looks at every live one. */
  @Test
  void the_next_slots_of_a_page_are_looked_up_one_by_one() {
    belfry
        .psql()
        .execute(
            """
            insert into carillon.run (schedule_id, slot, version, trigger, target, payload, due_at, wake_at)
            select id, slot, 1, 'scheduled', 'bell', '{}', slot, slot
              from (select id from carillon.schedule order by key limit 400) as schedule
             cross join lateral (
                   select ?::timestamptz + i * interval '1 second' as slot
                     from generate_series(1, 60) as i) as planned
            """,
            belfry.clock().instant());
    List<Schedule> page =
        node.schedules().page(ScheduleFilter.all(), Optional.empty(), 100).items();
    Look look = new Look("next slots", 210, any -> node.schedules().upcoming(page, 1));

    for (boolean analyzed : List.of(false, true)) {
      if (analyzed) {
        belfry.psql().execute("analyze carillon.run, carillon.cursor");
      }
      for (int time = 0; time < 12; time++) {
        assertThat(cost(look)).as("analyzed: %s", analyzed).isLessThan(look.most);
      }
    }
    belfry.psql().execute("truncate carillon.run");
  }

  @Test
  void a_forecast_reads_definitions_of_those_that_may_fire() {
    Instant now = belfry.clock().instant();
    belfry
        .psql()
        .execute(
            """
            update carillon.cursor
               set planned_through = ?, next_slot = ?::timestamptz + schedule_id * interval '1 minute',
                   plan_by = ?::timestamptz + schedule_id * interval '1 minute'
            """,
            now,
            now,
            now);
    belfry.psql().execute("vacuum analyze carillon.cursor");
    belfry.psql().execute("analyze carillon.schedule, carillon.schedule_version, carillon.run");
    Look look =
        new Look(
            "an hour",
            SCHEDULES + 2_000, // it counts the paused ones among all
            any -> any.schedules().forecast(now, now.plus(Duration.ofHours(1))));

    assertThat(cost(look)).isLessThan(look.most);
    belfry
        .psql()
        .execute(
            "update carillon.cursor set planned_through = 'epoch', next_slot = null, plan_by = null");
  }

  private long cost(Look look) {
    long before = fetched();
    look.at().accept(node);
    return fetched() - before;
  }

  /* Rows that the database says it fetched, from all sessions. */
  private long fetched() {
    belfry.psql().execute("select pg_stat_force_next_flush()");
    return Long.parseLong(
        belfry
            .psql()
            .rows(
                """
                select sum(coalesce(idx_tup_fetch, 0) + coalesce(seq_tup_read, 0))::bigint
                  from pg_stat_user_tables
                 where schemaname = 'carillon'
                """)
            .get(0));
  }
}
