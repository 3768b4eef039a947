package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.carillon.ScheduleDraft;
import dev.carillon.event.EngineLoop;
import dev.carillon.event.Event;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.UnsizedPool;
import dev.carillon.fixture.Wiretap;
import dev.carillon.policy.CatchUp;
import dev.carillon.testing.ManualCarillon;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What creating and planning schedules cost the database, counted and not timed. */
@ExtendWith(EmbeddedPostgres.class)
class PlanningCostTest {
  private static final Duration DAY = Duration.ofDays(1);

  private final Belfry belfry;
  private final Wiretap tap;
  private final ManualCarillon node;

  PlanningCostTest(DataSource postgres) {
    belfry = new Belfry(UnsizedPool.of(postgres));
    tap = new Wiretap(postgres);
    node = node();
  }

  private ManualCarillon node() {
    return belfry.nodeOn(tap.dataSource(), builder -> builder.target("bell", context -> {}));
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  /** Return so many drafts, each with a slot in {@code soon} and then once a day. */
  private Stream<ScheduleDraft> herd(int count, Duration soon) {
    Instant due = belfry.clock().instant().plus(soon);
    return IntStream.range(0, count)
        .mapToObj(i -> ScheduleDraft.named("herd-" + i).target("bell").every(DAY, due));
  }

  private Stream<ScheduleDraft> everySecond(int count) {
    return IntStream.range(0, count)
        .mapToObj(
            i -> ScheduleDraft.named("second-" + i).target("bell").every(Duration.ofSeconds(1)));
  }

  private int planAll() {
    int turns = 1;
    while (node.turn(EngineLoop.PLANNING).isZero()) {
      turns++;
    }
    return turns;
  }

  private long count(String sql) {
    return Long.parseLong(belfry.psql().rows(sql).get(0));
  }

  /** Put schedules that sleep for a year into the tables, as if they had been created. */
  private void addIdle(int count) {
    node.schedules()
        .create(ScheduleDraft.named("idle").target("bell").every(DAY.multipliedBy(365)));
    List.of(
            """
            insert into carillon.schedule_version
                   (schedule_id, version, target, payload, definition, created_at, created_by)
            select schedule_id + n, 1, target, payload, definition, created_at, created_by
              from carillon.schedule_version, generate_series(1, %s) as n
            """,
            """
            insert into carillon.cursor (schedule_id, planned_through, next_slot, plan_by, tzdb_version)
            select schedule_id + n, planned_through, next_slot, plan_by, tzdb_version
              from carillon.cursor, generate_series(1, %s) as n
            """,
            """
            insert into carillon.schedule (id, key, version, created_at, created_by, updated_at, updated_by)
            overriding system value
            select id + n, key || n, 1, created_at, created_by, updated_at, updated_by
              from carillon.schedule, generate_series(1, %s) as n
            """)
        .forEach(sql -> belfry.psql().execute(sql.formatted(count)));
    belfry
        .psql()
        .execute(
            "select setval(pg_get_serial_sequence('carillon.schedule', 'id'), max(id)) from carillon.schedule");
    belfry.psql().execute("analyze carillon.schedule, carillon.schedule_version, carillon.cursor");
  }

  /* What the database says it has read of schedules. */
  private long read(String column) {
    belfry.psql().execute("select pg_stat_force_next_flush()");
    return count(
        """
        select sum(%s)::bigint
          from pg_stat_user_tables
         where relname in ('schedule', 'schedule_version', 'cursor', 'run')
        """
            .formatted(column));
  }

  @Test
  void creating_costs_few_statements_and_one_commit_per_thousand() {
    long statements = tap.statements();
    long commits = tap.commits();
    node.schedules().createAll(herd(5_000, DAY));

    assertThat(tap.statements() - statements).isLessThanOrEqualTo(5 * 5);
    assertThat(tap.commits() - commits).isEqualTo(5);
  }

  @Test
  void planning_costs_few_statements_and_commits_per_thousand() {
    node.schedules().createAll(herd(5_000, Duration.ofSeconds(10)));
    long statements = tap.statements();
    long commits = tap.commits();
    int turns = planAll();

    assertThat(count("select count(*) from carillon.run")).isEqualTo(5_000);
    assertThat(turns).isLessThanOrEqualTo(7);
    assertThat(tap.statements() - statements).isLessThan(70);
    assertThat(tap.commits() - commits).isLessThanOrEqualTo(2L * turns);
  }

  @Test
  void planning_takes_small_portions_while_there_is_time() {
    node.schedules().createAll(herd(2_000, Duration.ofSeconds(50)));
    node.turn(EngineLoop.PLANNING);

    assertThat(count("select count(*) from carillon.run")).isBetween(1L, 500L);
    planAll();
    assertThat(count("select count(*) from carillon.run")).isEqualTo(2_000);
  }

  @Test
  void planning_takes_fewer_schedules_when_they_have_more_slots() {
    node.schedules().createAll(everySecond(500));
    long most = 0;
    long before = 0;
    Duration rest = Duration.ZERO;
    while (rest.isZero()) {
      rest = node.turn(EngineLoop.PLANNING);
      long runs = count("select count(*) from carillon.run");
      most = Math.max(most, runs - before);
      before = runs;
    }

    assertThat(before).isBetween(500L * 30, 500L * 60);
    assertThat(most).isLessThanOrEqualTo(PlanningBatch.MAX_RUNS + 60);
  }

  @Test
  void the_next_slots_of_all_are_planned_before_the_later_ones_of_any() {
    node.schedules().createAll(everySecond(500));
    node.turn(EngineLoop.PLANNING);
    node.turn(EngineLoop.PLANNING);

    assertThat(count("select count(distinct schedule_id) from carillon.run")).isEqualTo(500);
    assertThat(
            count(
                "select max(runs) from (select count(*) as runs from carillon.run group by schedule_id)"))
        .isLessThan(10);
  }

  @Test
  void planning_reads_no_schedule_that_sleeps() {
    addIdle(50_000);
    planAll();
    node.schedules().createAll(herd(100, Duration.ofSeconds(20)));
    long scans = read("seq_scan");
    long fetched = read("idx_tup_fetch");
    planAll();

    assertThat(count("select count(*) from carillon.run")).isEqualTo(100);
    assertThat(read("seq_scan") - scans).isEqualTo(1); // ours, just now
    assertThat(read("idx_tup_fetch") - fetched).isLessThan(1_500);
  }

  @Test
  void a_start_reads_no_schedule_that_sleeps_and_no_run_that_is_to_come() {
    addIdle(50_000);
    node.schedules().createAll(herd(2_000, Duration.ofSeconds(25)));
    planAll();
    belfry.psql().execute("analyze carillon.run");
    node.close();
    belfry.clock().advance(Duration.ofSeconds(5));
    long scans = read("seq_scan");
    long fetched = read("idx_tup_fetch");
    ManualCarillon next = node();
    next.turn(EngineLoop.HEARTBEAT);

    assertThat(read("seq_scan") - scans).isZero();
    assertThat(read("idx_tup_fetch") - fetched).isLessThan(100);
    assertThat(next.events()).filteredOn(Event.Outage.class::isInstance).isEmpty();
    assertThat(count("select count(*) from carillon.run")).isEqualTo(2_000);
  }

  @Test
  void a_turn_with_nothing_to_do_asks_one_question_outside_of_any_transaction() {
    node.schedules().createAll(herd(100, DAY));
    node.runDue();
    long statements = tap.statements();
    long commits = tap.commits();
    List.of(EngineLoop.PLANNING, EngineLoop.CLAIMING, EngineLoop.RECOVERY).forEach(node::turn);

    assertThat(tap.statements() - statements).isEqualTo(3);
    assertThat(tap.commits() - commits).isZero();
  }

  @Test
  void a_herd_that_was_missed_is_skipped_in_batches_and_none_of_it_vanishes() {
    node.schedules().createAll(herd(2_500, Duration.ofSeconds(25)));
    planAll();
    node.close();
    belfry.clock().advance(Duration.ofMinutes(10));
    long commits = tap.commits();
    ManualCarillon next = node();
    next.turn(EngineLoop.HEARTBEAT);

    assertThat(tap.commits() - commits).isGreaterThanOrEqualTo(4);
    assertThat(next.events())
        .filteredOn(Event.Outage.class::isInstance)
        .extracting(
            event -> ((Event.Outage) event).runs(), event -> ((Event.Outage) event).skipped())
        .containsExactly(tuple(2_500, 2_500));
    assertThat(count("select count(*) from carillon.run")).isZero();
    assertThat(
            count(
                "select count(*) from carillon.history where state = 'skipped'"
                    + " and reason = 'missed: no node was alive when it was due, and catch-up is skip'"))
        .isEqualTo(2_500);
    next.runDue();
    assertThat(count("select count(*) from carillon.decision where reason = 'missed'")).isZero();
  }

  @Test
  void a_herd_that_is_caught_up_is_looked_at_in_pages_and_kept() {
    node.schedules()
        .createAll(herd(6_000, Duration.ofSeconds(25)).map(draft -> draft.catchUp(CatchUp.once())));
    planAll();
    node.close();
    belfry.clock().advance(Duration.ofMinutes(10));
    long statements = tap.statements();
    ManualCarillon next = node();
    next.turn(EngineLoop.HEARTBEAT);

    assertThat(tap.statements() - statements).isLessThan(80);
    assertThat(next.events())
        .filteredOn(Event.Outage.class::isInstance)
        .extracting(
            event -> ((Event.Outage) event).runs(), event -> ((Event.Outage) event).skipped())
        .containsExactly(tuple(6_000, 0));
    assertThat(count("select count(*) from carillon.run where state = 'pending'")).isEqualTo(6_000);
  }
}
