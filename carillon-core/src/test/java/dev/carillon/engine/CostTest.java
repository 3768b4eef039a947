package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.RunDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.event.EngineLoop;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.UnsizedPool;
import dev.carillon.fixture.Wiretap;
import dev.carillon.policy.Overlap;
import dev.carillon.target.Outcome;
import dev.carillon.testing.ManualCarillon;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What runs cost the database, counted and not timed, so that every machine agrees. */
@ExtendWith(EmbeddedPostgres.class)
class CostTest {
  private final Belfry belfry;
  private final Wiretap tap;
  private final AtomicInteger rung = new AtomicInteger();
  private final ManualCarillon node;

  CostTest(DataSource postgres) {
    belfry = new Belfry(UnsizedPool.of(postgres));
    tap = new Wiretap(postgres);
    node =
        belfry.nodeOn(
            tap.dataSource(),
            builder ->
                builder
                    .target("bell", context -> rung.incrementAndGet())
                    .target("other", context -> {})
                    .concurrency(1_000));
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  /* What the database says it read of the live runs. */
  private long read(String column) {
    belfry.psql().execute("select pg_stat_force_next_flush()");
    return Long.parseLong(
        belfry
            .psql()
            .rows(
                "select coalesce(sum("
                    + column
                    + "), 0) from pg_stat_user_tables where relname = 'run'")
            .get(0));
  }

  private void drain() {
    Duration rest = Duration.ZERO;
    while (rest.isZero()) {
      rest = node.turn(EngineLoop.CLAIMING);
      writeEnds();
    }
  }

  private void writeEnds() {
    Duration rest = Duration.ZERO;
    while (rest.isZero()) {
      rest = node.turn(EngineLoop.COMPLETION);
    }
  }

  @Test
  void a_drain_costs_few_statements_and_commits_per_run() {
    node.runs().enqueueAll(Collections.nCopies(2_000, RunDraft.of("bell")));
    long statements = tap.statements();
    long commits = tap.commits();
    drain();

    assertThat(rung.get()).isEqualTo(2_000);
    assertThat(tap.statements() - statements).isLessThanOrEqualTo(17);
    assertThat(tap.commits() - commits).isLessThanOrEqualTo(8);
  }

  @Test
  void a_drain_touches_few_pages_per_run() {
    node.runs().enqueueAll(Collections.nCopies(2_000, RunDraft.of("bell")));
    long before = pages();
    drain();

    assertThat(rung.get()).isEqualTo(2_000);
    assertThat((pages() - before) / 2_000.0).isLessThan(14);
  }

  /* How often a page of the live runs or their indexes was looked at. */
  private long pages() {
    belfry.psql().execute("select pg_stat_force_next_flush()");
    return Long.parseLong(
        belfry
            .psql()
            .rows(
                """
                select heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read
                  from pg_statio_user_tables
                 where relname = 'run'
                """)
            .get(0));
  }

  @Test
  void enqueueing_costs_few_statements_per_run() {
    long statements = tap.statements();
    node.runs().enqueueAll(Collections.nCopies(2_000, RunDraft.of("bell")));

    assertThat(tap.statements() - statements).isLessThan(10);
  }

  @Test
  void schedules_cost_few_statements_and_commits_per_run() {
    List<ScheduleDraft> drafts =
        IntStream.range(0, 500)
            .mapToObj(
                i ->
                    ScheduleDraft.named("s" + i)
                        .target("bell")
                        .every(Duration.ofSeconds(1))
                        .overlap(Overlap.SKIP))
            .toList();
    node.schedules().createAll(drafts);
    node.runDue();
    node.pass(Duration.ofSeconds(1));
    int rungBefore = rung.get();
    long statements = tap.statements();
    long commits = tap.commits();
    node.pass(Duration.ofSeconds(4));

    assertThat(rung.get() - rungBefore).isEqualTo(2_000);
    assertThat(tap.statements() - statements).isLessThanOrEqualTo(100);
    assertThat(tap.commits() - commits).isLessThanOrEqualTo(10);
  }

  @Test
  void an_idle_turn_costs_few_statements() {
    node.runDue();
    long statements = tap.statements();
    node.turn(EngineLoop.HEARTBEAT);
    node.turn(EngineLoop.RECOVERY);
    node.turn(EngineLoop.PLANNING);
    node.turn(EngineLoop.CLAIMING);
    node.turn(EngineLoop.LAUNCHING);
    node.turn(EngineLoop.TIMEOUTS);
    node.turn(EngineLoop.COMPLETION);

    assertThat(tap.statements() - statements).isLessThanOrEqualTo(10);
  }

  @Test
  void runs_of_the_far_future_are_not_read_when_others_are_claimed() {
    node.runs()
        .enqueueAll(Collections.nCopies(20_000, RunDraft.of("bell").in(Duration.ofDays(30))));
    belfry.psql().execute("analyze carillon.run");
    node.runDue();
    long scans = read("seq_scan");
    long fetched = read("idx_tup_fetch");
    node.runs().enqueueAll(Collections.nCopies(100, RunDraft.of("bell")));
    drain();

    assertThat(rung.get()).isEqualTo(100);
    assertThat(read("seq_scan") - scans).isZero();
    assertThat(read("idx_tup_fetch") - fetched).isLessThan(2_000);
  }

  @Test
  void an_idle_turn_reads_no_run_of_the_far_future() {
    node.runs()
        .enqueueAll(Collections.nCopies(20_000, RunDraft.of("bell").in(Duration.ofDays(30))));
    belfry.psql().execute("analyze carillon.run");
    node.runDue();
    long scans = read("seq_scan");
    long fetched = read("idx_tup_fetch");
    for (int i = 0; i < 10; i++) {
      belfry.clock().advance(Duration.ofSeconds(1));
      node.turn(EngineLoop.HEARTBEAT);
      node.turn(EngineLoop.PLANNING);
      node.turn(EngineLoop.CLAIMING);
      node.turn(EngineLoop.RECOVERY);
    }

    assertThat(read("seq_scan") - scans).isZero();
    assertThat(read("idx_tup_fetch") - fetched).isLessThan(100);
  }

  @Test
  void the_table_is_not_read_whole_for_each_batch_whatever_was_known_of_it() {
    node.runs().enqueueAll(Collections.nCopies(20_000, RunDraft.of("bell")));
    belfry.psql().execute("vacuum (analyze) carillon.run"); // when none of them was running
    long fetched = read("idx_tup_fetch");
    drain();

    assertThat(rung.get()).isEqualTo(20_000);
    assertThat((read("idx_tup_fetch") - fetched) / 20_000).isLessThan(8);
  }

  @Test
  void runs_that_were_accepted_elsewhere_are_not_read_when_others_are_claimed() {
    var busy =
        belfry.nodeOn(
            tap.dataSource(),
            builder ->
                builder
                    .asyncTarget("far", (context, done) -> done.accept(Outcome.accepted()))
                    .concurrency(1_000));
    busy.runs().enqueueAll(Collections.nCopies(5_000, RunDraft.of("far")));
    busy.runDue();
    belfry.psql().execute("vacuum (analyze) carillon.run");
    long scans = read("seq_scan");
    long fetched = read("idx_tup_fetch");
    busy.runs().enqueue(RunDraft.of("far"));
    for (int i = 0; i < 10; i++) {
      busy.turn(EngineLoop.CLAIMING);
      busy.turn(EngineLoop.COMPLETION);
      busy.turn(EngineLoop.EXPIRY);
      busy.turn(EngineLoop.RECOVERY);
    }

    assertThat(read("seq_scan") - scans).isZero();
    assertThat(read("idx_tup_fetch") - fetched).isLessThan(200);
  }

  @Test
  void accepted_runs_cost_few_statements_per_run() {
    var busy =
        belfry.nodeOn(
            tap.dataSource(),
            builder ->
                builder
                    .asyncTarget("far", (context, done) -> done.accept(Outcome.accepted()))
                    .concurrency(1_000));
    busy.runs().enqueueAll(Collections.nCopies(2_000, RunDraft.of("far")));
    long statements = tap.statements();
    Duration rest = Duration.ZERO;
    while (rest.isZero()) {
      rest = busy.turn(EngineLoop.CLAIMING);
      busy.turn(EngineLoop.COMPLETION);
    }

    assertThat(tap.statements() - statements).isLessThan(100);
  }

  @Test
  void a_look_at_what_runs_elsewhere_is_one_statement() {
    long statements = tap.statements();
    node.turn(EngineLoop.EXPIRY);

    assertThat(tap.statements() - statements).isEqualTo(1);
  }

  @Test
  void runs_of_a_target_without_room_are_not_read() {
    var small =
        belfry.nodeOn(
            tap.dataSource(),
            builder ->
                builder
                    .asyncTarget("stuck", (context, done) -> {}, 1)
                    .target("bell", context -> rung.incrementAndGet()));
    small.runs().enqueueAll(Collections.nCopies(5_000, RunDraft.of("stuck")));
    belfry.psql().execute("analyze carillon.run");
    small.turn(EngineLoop.CLAIMING);
    small.runs().enqueue(RunDraft.of("bell"));
    long fetched = read("idx_tup_fetch");
    small.turn(EngineLoop.CLAIMING);

    assertThat(rung.get()).isEqualTo(1);
    assertThat(read("idx_tup_fetch") - fetched).isLessThan(100);
  }
}
