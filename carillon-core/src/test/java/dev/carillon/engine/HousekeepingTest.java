package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.RunDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.event.EngineLoop;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.model.ScheduleVersion;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.testing.RecordingTarget;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Partitions made ahead, and history dropped when it is old. */
@ExtendWith(EmbeddedPostgres.class)
class HousekeepingTest {
  private final DataSource postgres;
  private final Belfry belfry;
  private final RecordingTarget bell = new RecordingTarget();
  private final ManualCarillon node;

  HousekeepingTest(DataSource postgres) {
    this.postgres = postgres;
    belfry = new Belfry(postgres);
    node = belfry.node(builder -> builder.target("bell", bell).retention(Duration.ofDays(30)));
  }

  @BeforeEach
  void dropPartitions() {
    for (String name : partitions()) {
      belfry.psql().execute("drop table carillon." + name);
    }
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  private List<String> partitions() {
    return belfry
        .psql()
        .rows(
            """
            select child.relname
              from pg_inherits
              join pg_class as child
                on child.oid = inhrelid
             where inhparent = 'carillon.history'::regclass
               and child.relname <> 'history_default'
             order by 1
            """);
  }

  private void keepHouse() {
    node.turn(EngineLoop.HEARTBEAT);
    node.turn(EngineLoop.HOUSEKEEPING);
  }

  private void pass(Duration time) {
    belfry.clock().advance(time);
    keepHouse();
  }

  private RunId ended() {
    RunId id = node.runs().enqueue(RunDraft.of("bell"));
    node.runDue();
    return id;
  }

  private List<String> rowsOf(String table) {
    return belfry.psql().rows("select count(*) from carillon." + table);
  }

  @Test
  void partitions_are_made_from_a_week_ago_to_four_weeks_ahead() {
    keepHouse();

    assertThat(partitions())
        .containsExactly(
            "history_20260216",
            "history_20260223",
            "history_20260302",
            "history_20260309",
            "history_20260316",
            "history_20260323");
  }

  @Test
  void partitions_are_made_as_time_goes_on() {
    keepHouse();
    pass(Duration.ofDays(7));

    assertThat(partitions()).endsWith("history_20260330");
  }

  @Test
  void rows_that_had_no_partition_are_moved_when_it_is_made() {
    RunId id = ended();
    assertThat(rowsOf("history_default")).containsExactly("1");
    keepHouse();

    assertThat(rowsOf("history_default")).containsExactly("0");
    assertThat(rowsOf("history_20260223")).containsExactly("1");
    assertThat(node.runs().get(id).orElseThrow().state()).isEqualTo(RunState.SUCCEEDED);
  }

  @Test
  void a_run_is_kept_as_long_as_the_retention_says() {
    keepHouse();
    RunId id = ended();
    pass(Duration.ofDays(30));

    assertThat(node.runs().get(id)).isPresent();
  }

  @Test
  void a_run_is_gone_a_week_after_the_retention_at_the_latest() {
    keepHouse();
    RunId id = ended();
    pass(Duration.ofDays(37));

    assertThat(node.runs().get(id)).isEmpty();
    assertThat(partitions()).doesNotContain("history_20260223");
  }

  @Test
  void what_is_dropped_leaves_no_table_behind() {
    keepHouse();
    pass(Duration.ofDays(60));

    assertThat(belfry.psql().rows("select to_regclass('carillon.history_20260223') is null"))
        .containsExactly("true");
  }

  @Test
  void a_reader_delays_retention_and_nobody_else() throws SQLException {
    keepHouse();
    try (Connection reader = postgres.getConnection();
        Statement look = reader.createStatement()) {
      reader.setAutoCommit(false);
      look.executeQuery("select count(*) from carillon.history").close();
      pass(Duration.ofDays(60));
      assertThat(partitions()).contains("history_20260223");
      RunId id = ended();
      assertThat(node.runs().get(id).orElseThrow().state()).isEqualTo(RunState.SUCCEEDED);
      reader.rollback();
      pass(Duration.ofSeconds(10));

      assertThat(partitions()).doesNotContain("history_20260223");
      assertThat(node.runs().get(id)).isPresent();
    }
  }

  @Test
  void a_run_that_ends_waits_a_moment_at_most_for_retention_that_waits_for_a_reader()
      throws Exception {
    keepHouse();
    belfry.clock().advance(Duration.ofDays(60));
    node.turn(EngineLoop.HEARTBEAT);
    node.runs().enqueue(RunDraft.of("bell"));
    var housekeeper = new AtomicReference<Duration>();
    try (Connection reader = postgres.getConnection();
        Statement look = reader.createStatement()) {
      reader.setAutoCommit(false);
      look.executeQuery("select count(*) from carillon.history").close();
      var keeping = new Thread(() -> housekeeper.set(node.turn(EngineLoop.HOUSEKEEPING)));
      keeping.start();
      node.turn(EngineLoop.CLAIMING);
      node.turn(EngineLoop.COMPLETION);
      keeping.join();

      assertThat(rowsOf("run")).containsExactly("0");
      assertThat(housekeeper.get()).isNotNull();
    }
  }

  @Test
  void old_rows_outside_of_partitions_are_swept() {
    RunId id = node.runs().enqueue(RunDraft.of("bell").at(Instant.parse("2001-01-01T00:00:00Z")));
    node.runDue();
    keepHouse();
    assertThat(node.runs().get(id)).isPresent();
    pass(Duration.ofDays(31));

    assertThat(node.runs().get(id)).isEmpty();
  }

  @Test
  void old_decisions_and_audit_are_swept() {
    node.schedules().create(ScheduleDraft.named("minutely").target("bell").cron("* * * * *"));
    belfry.clock().advance(Duration.ofMinutes(10));
    node.runDue();
    node.schedules().retire("minutely");
    assertThat(rowsOf("decision")).containsExactly("1");
    pass(Duration.ofDays(31));

    assertThat(rowsOf("decision")).containsExactly("0");
    assertThat(rowsOf("audit")).containsExactly("0");
  }

  @Test
  void nothing_that_is_to_come_or_under_way_is_swept() {
    RunId id = node.runs().enqueue(RunDraft.of("bell").in(Duration.ofDays(60)));
    keepHouse();
    pass(Duration.ofDays(59));

    assertThat(node.runs().get(id).orElseThrow().state()).isEqualTo(RunState.PENDING);
  }

  @Test
  void a_duty_is_done_once_an_hour() {
    keepHouse();
    belfry.psql().execute("drop table carillon.history_20260323");
    pass(Duration.ofSeconds(10));
    assertThat(partitions()).doesNotContain("history_20260323");
    pass(Duration.ofHours(1));

    assertThat(partitions()).contains("history_20260323");
  }

  private void revise(String key, int times) {
    for (int i = 0; i < times; i++) {
      node.schedules()
          .upsert(
              ScheduleDraft.named(key)
                  .target("bell")
                  .every(Duration.ofDays(300))
                  .description("edition " + i));
    }
  }

  private List<Integer> versions(String key) {
    return node.schedules().versions(key).stream().map(ScheduleVersion::version).toList();
  }

  private void prune() {
    pass(Duration.ofHours(2));
    for (int i = 0; i < 5; i++) {
      pass(Duration.ofSeconds(1));
    }
  }

  @Test
  void old_versions_go_but_the_last_hundred_and_those_of_runs_stay() {
    revise("gazette", 20);
    node.schedules().runNow("gazette"); // of version 20, over
    node.runDue();
    revise("gazette", 10);
    node.schedules().runNow("gazette"); // of version 30, not over
    revise("gazette", 270);
    revise("weekly", 100);
    keepHouse();
    prune();

    assertThat(versions("gazette")).hasSize(102).startsWith(300, 299).endsWith(202, 201, 30, 20);
    assertThat(versions("weekly")).hasSize(100);
    assertThat(node.schedules().get("gazette").orElseThrow().version()).isEqualTo(300);
    assertThat(node.schedules().rollback("gazette", 201)).isPresent();
  }
}
