package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.RunDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.event.EngineLoop;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.UnsizedPool;
import dev.carillon.model.RunFilter;
import dev.carillon.model.RunState;
import dev.carillon.testing.ManualCarillon;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the history costs those who read it and those who add to it, counted and not timed. */
@ExtendWith(EmbeddedPostgres.class)
class HistoryCostTest {
  private static final int RUNS = 30_000;

  private final Belfry belfry;
  private final ManualCarillon node;

  HistoryCostTest(DataSource postgres) {
    belfry = new Belfry(UnsizedPool.of(postgres));
    node = belfry.node(builder -> builder.target("bell", context -> {}).concurrency(1_000));
    node.turn(EngineLoop.HEARTBEAT);
    node.turn(EngineLoop.HOUSEKEEPING);
  }

  @AfterEach
  void close() {
    vacuum("on");
    belfry.close();
  }

  /* The log and the counts are the whole server's, so vacuuming anything would be part of them. */
  private void vacuum(String state) {
    belfry.psql().execute("alter system set autovacuum = " + state);
    belfry.psql().execute("select pg_reload_conf()");
  }

  /* A day and a half of runs, one every few seconds: a hundred schedules, one failure in fifty, and a
   * target that is seldom used. */
  @BeforeEach
  void fill() {
    vacuum("off");
    belfry
        .psql()
        .execute(
            """
            insert into carillon.history
                   (schedule_id, slot, ordinal, version, trigger, target, payload, due_at, state, attempt,
                    finished_at, failure_code, reason, sampled)
            select i % 100, slot, 0, 1, 'scheduled', case when i % 10000 = 0 then 'seldom' else 'bell' end, '{}',
                   slot, state, 1, slot, case when state = 'failed' then 'cracked' end,
                   case when state = 'skipped' then 'overlap' end, state = 'succeeded'
              from (select i, ?::timestamptz - i * interval '4 seconds' as slot,
                           case when i % 50 = 7 then 'failed' when i % 5000 = 8 then 'skipped'
                                else 'succeeded' end as state
                      from generate_series(1, ?) as i) as made
            """,
            belfry.clock().instant(), RUNS);
    belfry
        .psql()
        .execute(
            """
            insert into carillon.run_count
            select date_bin('1 hour', slot, 'epoch'), target, state, count(*)
              from carillon.history
             group by 1, 2, 3
            """);
    for (String name : List.of("one", "two")) {
      node.schedules().create(ScheduleDraft.named(name).target("bell").every(Duration.ofDays(300)));
    }
    belfry
        .psql()
        .execute(
            "update carillon.history set schedule_id = schedule.id"
                + " from carillon.schedule where schedule.key = 'one' and history.schedule_id = 1");
  }

  /* Rows of the history and its indexes that the database says it fetched, from all sessions. */
  private long fetched() {
    belfry.psql().execute("select pg_stat_force_next_flush()");
    return Long.parseLong(
        belfry
            .psql()
            .rows(
                """
                select sum(coalesce(idx_tup_fetch, 0) + coalesce(seq_tup_read, 0))::bigint
                  from pg_stat_user_tables
                 where relname like 'history%' or relname like 'tally%'
                """)
            .get(0));
  }

  private record Look(String what, Consumer<ManualCarillon> at) {
    @Override
    public String toString() {
      return what;
    }
  }

  private static Look list(String what, RunFilter filter) {
    return new Look(what, node -> node.runs().list(filter.limit(20)));
  }

  static Stream<Look> looks() {
    return Stream.of(
        list("all", RunFilter.all()),
        list("succeeded", RunFilter.all().state(RunState.SUCCEEDED)),
        list("failed", RunFilter.all().state(RunState.FAILED)),
        list("skipped", RunFilter.all().state(RunState.SKIPPED)),
        list("canceled", RunFilter.all().state(RunState.CANCELED)),
        list("a target", RunFilter.all().target("bell")),
        list("a target that is seldom used", RunFilter.all().target("seldom")),
        list("a target that is never used", RunFilter.all().target("never")),
        list("failures of a target", RunFilter.all().target("bell").state(RunState.FAILED)),
        list("successes of a target", RunFilter.all().target("seldom").state(RunState.SUCCEEDED)),
        list("a schedule", RunFilter.bySchedule("one")),
        list("failures of a schedule", RunFilter.bySchedule("one").state(RunState.FAILED)),
        new Look("recent runs", node -> node.runs().recent(List.of("one", "two"), 20)));
  }

  @ParameterizedTest
  @MethodSource("looks")
  void a_page_reads_few_rows_of_a_long_history(Look look) {
    for (boolean analyzed : List.of(false, true)) {
      if (analyzed) {
        belfry.psql().execute("analyze carillon.history");
      }
      long before = fetched();
      look.at().accept(node);

      assertThat(fetched() - before).as("analyzed: %s", analyzed).isLessThan(400);
    }
  }

  @Test
  void counts_read_few_rows_of_a_long_history() {
    long before = fetched();
    assertThat(
            node.runs()
                .counts(
                    belfry.clock().instant().minus(Duration.ofDays(1)), belfry.clock().instant())
                .get(RunState.SUCCEEDED))
        .isGreaterThan(20_000);
    assertThat(fetched() - before).isLessThan(200);
  }

  @Test
  void a_run_that_ends_costs_little_log() {
    node.runs().enqueueAll(Collections.nCopies(2_000, RunDraft.of("bell")));
    belfry.psql().execute("checkpoint");
    drain();
    node.runs().enqueueAll(Collections.nCopies(5_000, RunDraft.of("bell")));
    long before = log();
    drain();

    assertThat(belfry.psql().rows("select count(*) from carillon.run")).containsExactly("0");
    assertThat((log() - before) / 5_000).isLessThan(680);
  }

  @Test
  void a_slot_that_becomes_a_run_and_ends_costs_little_log() {
    node.schedules()
        .createAll(
            IntStream.range(0, 100)
                .mapToObj(
                    i -> ScheduleDraft.named("s" + i).target("bell").every(Duration.ofSeconds(1)))
                .toList());
    node.runDue();
    node.pass(Duration.ofSeconds(40));
    long before = log();
    long ended = ended();
    node.pass(Duration.ofSeconds(60)); // two stretches of planning

    assertThat(ended() - ended).isEqualTo(6_000);
    assertThat((log() - before) / 6_000).isLessThan(1_260);
  }

  private long ended() {
    return Long.parseLong(belfry.psql().rows("select count(*) from carillon.history").get(0));
  }

  @Test
  void one_success_per_second_and_target_is_in_the_index_by_target() {
    node.runs().enqueueAll(Collections.nCopies(1_000, RunDraft.of("bell")));
    drain();

    assertThat(
            belfry
                .psql()
                .rows("select count(*) from carillon.history where sampled and trigger = 'ad_hoc'"))
        .containsExactly("1");
  }

  private long log() {
    return Long.parseLong(
        belfry.psql().rows("select (pg_current_wal_insert_lsn() - '0/0')::bigint").get(0));
  }

  private void drain() {
    IntStream.range(0, 20)
        .forEach(
            turn -> {
              node.turn(EngineLoop.CLAIMING);
              node.turn(EngineLoop.COMPLETION);
            });
  }
}
