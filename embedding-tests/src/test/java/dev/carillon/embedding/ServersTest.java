package dev.carillon.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.carillon.Carillon;
import dev.carillon.RunDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.event.EngineLoop;
import dev.carillon.event.Event;
import dev.carillon.fixture.Await;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.InstalledPostgres;
import dev.carillon.fixture.Pgbouncer;
import dev.carillon.fixture.PostgresServer;
import dev.carillon.fixture.Psql;
import dev.carillon.model.Run;
import dev.carillon.model.RunFilter;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.policy.CatchUp;
import dev.carillon.policy.Overlap;
import dev.carillon.policy.Retry;
import dev.carillon.store.jdbc.Database;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.testing.RecordingTarget;
import dev.carillon.testing.TestClock;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The PostgreSQL servers Carillon is said to work with, and a pooler before them. */
@ExtendWith(EmbeddedPostgres.class)
@Timeout(300)
class ServersTest {
  /* The other versions that are supported: see docs/reference/postgresql.md. */
  private static final int OLDEST = 15;

  private static @Nullable InstalledPostgres oldest;
  private static final Map<Way, Pgbouncer> BOUNCERS = new ConcurrentHashMap<>();
  private static int databases;

  private final PostgresServer embedded;
  private final List<HikariDataSource> pools = new ArrayList<>();
  private final Set<String> starts = ConcurrentHashMap.newKeySet();

  ServersTest(PostgresServer embedded) {
    this.embedded = embedded;
  }

  /** How Carillon reaches which server. */
  enum Way {
    EMBEDDED,
    EMBEDDED_BEHIND_PGBOUNCER,
    OLDEST,
    OLDEST_BEHIND_PGBOUNCER;

    boolean pooled() {
      return this == EMBEDDED_BEHIND_PGBOUNCER || this == OLDEST_BEHIND_PGBOUNCER;
    }

    boolean old() {
      return this == OLDEST || this == OLDEST_BEHIND_PGBOUNCER;
    }
  }

  @AfterEach
  void closePools() {
    pools.forEach(HikariDataSource::close);
  }

  @AfterAll
  static void stop() {
    BOUNCERS.values().forEach(Pgbouncer::close);
    BOUNCERS.clear();
    if (oldest != null) {
      oldest.close();
      oldest = null;
    }
  }

  /** Connections to a new database, by a pool as a program has one. */
  private DataSource database(Way way) {
    assumeTrue(
        !way.old() || InstalledPostgres.isInstalled(OLDEST),
        "skipped: PostgreSQL %s is not installed".formatted(OLDEST));
    assumeTrue(!way.pooled() || Pgbouncer.isInstalled(), "skipped: pgbouncer is not installed");
    String name;
    if (way.old()) {
      name = "test_" + ++databases;
      new Psql(oldest().dataSource("postgres")).execute("create database " + name);
    } else {
      name = embedded.createEmpty();
    }
    var settings = new HikariConfig();
    settings.setDataSource(source(way, name));
    settings.setMaximumPoolSize(10);
    var pool = new HikariDataSource(settings);
    pools.add(pool);
    return pool;
  }

  private DataSource source(Way way, String name) {
    return switch (way) {
      case EMBEDDED -> embedded.dataSource(name);
      case OLDEST -> oldest().dataSource(name);
      case EMBEDDED_BEHIND_PGBOUNCER ->
          BOUNCERS
              .computeIfAbsent(
                  way,
                  key -> Pgbouncer.before(embedded.port(), embedded.user(), embedded.password()))
              .dataSource(name);
      case OLDEST_BEHIND_PGBOUNCER ->
          BOUNCERS
              .computeIfAbsent(way, key -> Pgbouncer.before(oldest().port(), "carillon", ""))
              .dataSource(name);
    };
  }

  private static InstalledPostgres oldest() {
    InstalledPostgres running = oldest;
    if (running == null) {
      running = InstalledPostgres.start(OLDEST);
      oldest = running;
    }
    return running;
  }

  @ParameterizedTest
  @EnumSource
  void the_server_is_the_one_that_is_meant(Way way) {
    DataSource source = database(way);

    assertThat(new Psql(source).rows("show server_version").get(0))
        .startsWith(way.old() ? "15." : "18.");
    assertThat(new Database(source).isBehindPooler()).isEqualTo(way.pooled());
  }

  private void insert(String text, Connection connection) throws SQLException {
    try (var statement = connection.prepareStatement("insert into effect values (?)")) {
      statement.setString(1, text);
      statement.executeUpdate();
    }
  }

  private Carillon node(DataSource source, LinkedBlockingQueue<Event.Finished> ends) {
    return Carillon.builder()
        .dataSource(source)
        .heartbeat(Duration.ofMillis(500))
        .poll(Duration.ofMillis(100))
        .target(
            "bell",
            context -> {
              if (!starts.add(context.id() + " " + context.attempt())) {
                throw new IllegalStateException("started twice: " + context.id());
              }
            })
        .target(
            "moody",
            context -> {
              if (context.attempt() < 3) {
                throw new IllegalStateException("not yet");
              }
            })
        .target(
            "patient",
            context -> {
              while (context.stop().isEmpty()) {
                TimeUnit.SECONDS.sleep(60);
              }
            })
        .transactionalTarget(
            "effect", (context, connection) -> insert(context.id().toString(), connection))
        .transactionalTarget(
            "slow",
            (context, connection) -> {
              try (var statement = connection.createStatement()) {
                statement.execute("select pg_sleep(250)");
              }
            })
        .listener(
            event -> {
              if (event instanceof Event.Finished finished) {
                ends.add(finished);
              }
            })
        .build();
  }

  @ParameterizedTest
  @EnumSource
  void two_nodes_do_everything_once(Way way) throws Exception {
    DataSource source = database(way);
    var ends = new LinkedBlockingQueue<Event.Finished>();
    try (Carillon one = node(source, ends).start();
        Carillon two = node(source, ends).start()) {
      var psql = new Psql(source);
      psql.execute("create table effect (run text primary key)");
      one.schedules()
          .create(
              ScheduleDraft.named("often")
                  .target("bell")
                  .every(Duration.ofSeconds(1))
                  .maxRuns(3)
                  .overlap(Overlap.QUEUE));
      var wanted = new ArrayList<RunId>();
      for (int i = 0; i < 60; i++) {
        String target = i % 3 == 0 ? "bell" : i % 3 == 1 ? "moody" : "effect";
        wanted.add(
            (i % 2 == 0 ? one : two)
                .runs()
                .enqueue(
                    RunDraft.of(target)
                        .retry(Retry.times(5).backoff(Duration.ofMillis(1)))
                        .overlapKey("key " + i % 7)
                        .requestId("request " + i)));
      }
      RunId slow = one.runs().enqueue(RunDraft.of("slow").timeout(Duration.ofMillis(300)));
      RunId patient = two.runs().enqueue(RunDraft.of("patient"));
      try (Connection connection = source.getConnection()) {
        connection.setAutoCommit(false);
        insert("by the application", connection);
        wanted.add(one.runs().enqueue(connection, RunDraft.of("bell")));
        connection.commit();
        connection.setAutoCommit(true);
      }
      Await.until(
          "the start of the run",
          () -> two.runs().get(patient).map(Run::state).orElseThrow() == RunState.RUNNING);
      one.runs().cancel(patient, "not needed");

      for (int i = 0; i < wanted.size() + 2 + 3; i++) {
        assertThat(ends.poll(120, TimeUnit.SECONDS)).as("end %s", i).isNotNull();
      }

      assertThat(wanted)
          .allMatch(id -> one.runs().get(id).orElseThrow().state() == RunState.SUCCEEDED);
      assertThat(one.runs().get(slow).orElseThrow().failure().orElseThrow().code())
          .isEqualTo("timeout");
      assertThat(two.runs().get(patient).orElseThrow().state()).isEqualTo(RunState.CANCELED);
      assertThat(psql.rows("select count(*) from effect")).containsExactly("21");
      assertThat(one.runs().list(RunFilter.all().limit(100))).hasSize(wanted.size() + 2 + 3);
      assertThat(one.schedules().get("often").orElseThrow().status().name()).isEqualTo("RETIRED");
      assertThat(ends).isEmpty();
      assertThat(two.nodes()).hasSize(2);
    }
    assertThat(new Psql(source).rows("select pg_listening_channels()")).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void weeks_pass_with_an_outage_and_history_is_kept_and_dropped(Way way) {
    DataSource source = database(way);
    var clock = TestClock.at("2026-03-01T00:00:00Z");
    var bell = new RecordingTarget();
    try (var node =
        ManualCarillon.on(source)
            .clock(clock)
            .target("bell", bell)
            .with(builder -> builder.retention(Duration.ofDays(30)))
            .start()) {
      node.schedules()
          .create(
              ScheduleDraft.named("daily")
                  .target("bell")
                  .cron("0 2 * * *", "Europe/Rome")
                  .catchUp(CatchUp.all().maxAge(Duration.ofDays(10))));
      node.pass(Duration.ofDays(20));
      clock.advance(Duration.ofDays(3));
      node.runDue();
      assertThat(bell.slots()).doesNotHaveDuplicates().hasSize(23);

      node.turn(EngineLoop.HOUSEKEEPING);
      clock.advance(Duration.ofDays(60));
      node.runDue();
      node.turn(EngineLoop.HOUSEKEEPING);

      assertThat(bell.slots()).doesNotHaveDuplicates();
      assertThat(node.runs().list(RunFilter.all().limit(100)))
          .isNotEmpty()
          .allMatch(run -> run.slot().isAfter(clock.instant().minus(Duration.ofDays(40))));
    }
  }
}
