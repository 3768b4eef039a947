package dev.carillon.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.carillon.Carillon;
import dev.carillon.RunDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.event.Event;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import dev.carillon.fixture.Psql;
import dev.carillon.model.RunId;
import dev.carillon.store.jdbc.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.postgresql.PGConnection;
import org.postgresql.ds.PGSimpleDataSource;

/** The application goes on using the connections that Carillon has had in its hands. */
@ExtendWith(EmbeddedPostgres.class)
@Timeout(300)
class PoolsTest {
  private static final int SIZE = 8;

  private final PGSimpleDataSource database;
  private final Psql psql;
  private final LinkedBlockingQueue<Event.Finished> ends = new LinkedBlockingQueue<>();

  PoolsTest(PostgresServer server) {
    database = (PGSimpleDataSource) server.dataSource(server.createMigrated());
    psql = new Psql(database);
    psql.execute("create table orders (name text)");
  }

  static Stream<Arguments> pools() {
    return Stream.of(Pools.values())
        .flatMap(pool -> Stream.of(Arguments.of(pool, true), Arguments.of(pool, false)));
  }

  private static void order(String name, Connection connection) throws SQLException {
    try (var statement = connection.prepareStatement("insert into orders values (?)")) {
      statement.setString(1, name);
      statement.executeUpdate();
    }
  }

  private Carillon carillon(DataSource source) {
    return Carillon.builder()
        .dataSource(source)
        .poll(Duration.ofMillis(50))
        .heartbeat(Duration.ofMillis(500))
        .target("bell", context -> {})
        .target(
            "broken",
            context -> {
              throw new IllegalStateException("no rope");
            })
        .transactionalTarget("order", (context, connection) -> order("by a handler", connection))
        .transactionalTarget(
            "undone",
            (context, connection) -> {
              order("undone", connection);
              throw new IllegalStateException("no rope");
            })
        .transactionalTarget(
            "slow",
            (context, connection) -> {
              order("slow", connection);
              try (var statement = connection.createStatement()) {
                statement.execute("select pg_sleep(250)");
              }
            })
        .transactionalTarget(
            "lost",
            (context, connection) -> {
              order("lost", connection);
              try (var statement = connection.createStatement()) {
                statement.execute("select pg_terminate_backend(pg_backend_pid())");
              }
            })
        .listener(
            event -> {
              if (event instanceof Event.Finished finished) {
                ends.add(finished);
              }
            })
        .build()
        .start();
  }

  private void useEverything(DataSource source) throws InterruptedException {
    try (Carillon carillon = carillon(source)) {
      carillon
          .schedules()
          .create(
              ScheduleDraft.named("often").target("bell").every(Duration.ofSeconds(1)).maxRuns(2));
      for (int i = 0; i < 10; i++) {
        for (String target : List.of("bell", "broken", "order", "undone")) {
          carillon.runs().enqueue(RunDraft.of(target));
        }
      }
      carillon.runs().enqueue(RunDraft.of("slow").timeout(Duration.ofMillis(300)));
      carillon.runs().enqueue(RunDraft.of("lost"));
      for (int i = 0; i < 10 * 4 + 2 + 2; i++) {
        assertThat(ends.poll(60, TimeUnit.SECONDS)).as("end %s", i).isNotNull();
      }
    }
  }

  private record State(
      boolean autoCommit,
      boolean readOnly,
      int isolation,
      int timeout,
      int threshold,
      String settings,
      String listening) {
    static State of(Connection connection) throws SQLException {
      var state =
          new State(
              connection.getAutoCommit(),
              connection.isReadOnly(),
              connection.getTransactionIsolation(),
              connection.getNetworkTimeout(),
              connection.unwrap(PGConnection.class).getPrepareThreshold(),
              text(
                  connection,
                  """
                  select coalesce(string_agg(name || '=' || setting, ' ' order by name), '')
                    from pg_settings
                   where source = 'session' and name not like 'transaction%'
                  """),
              text(
                  connection,
                  "select coalesce(string_agg(name, ' '), '') from pg_listening_channels() as name"));
      if (!connection.getAutoCommit()) {
        connection.rollback();
      }
      return state;
    }

    private static String text(Connection connection, String sql) throws SQLException {
      try (var statement = connection.createStatement();
          var row = statement.executeQuery(sql)) {
        row.next();
        return row.getString(1);
      }
    }
  }

  private static List<State> states(DataSource source) throws SQLException {
    var connections = new ArrayList<Connection>();
    var states = new ArrayList<State>();
    try {
      for (int i = 0; i < SIZE; i++) {
        connections.add(source.getConnection());
      }
      for (Connection connection : connections) {
        states.add(State.of(connection));
      }
    } finally {
      for (Connection connection : connections) {
        connection.close();
      }
    }
    return states;
  }

  @ParameterizedTest
  @MethodSource("pools")
  void a_pool_gets_its_connections_back_as_they_were(Pools kind, boolean autoCommit)
      throws Exception {
    try (var pool = kind.open(database, autoCommit, SIZE)) {
      List<State> before = states(pool.connections());
      useEverything(pool.connections());

      assertThat(before).hasSize(SIZE).containsOnly(before.get(0));
      assertThat(states(pool.connections())).isEqualTo(before);
      assertThat(psql.rows("select name, count(*) from orders group by name"))
          .containsExactly("by a handler 10");
    }
  }

  @Test
  void a_pool_that_is_stricter_about_isolation_keeps_its_level_and_everything_works()
      throws Exception {
    var settings = new HikariConfig();
    settings.setDataSource(database);
    settings.setMaximumPoolSize(SIZE);
    settings.setTransactionIsolation("TRANSACTION_SERIALIZABLE");
    try (var pool = new HikariDataSource(settings)) {
      useEverything(pool);

      assertThat(states(pool))
          .extracting(State::isolation)
          .containsOnly(Connection.TRANSACTION_SERIALIZABLE);
      assertThat(psql.rows("select name, count(*) from orders group by name"))
          .containsExactly("by a handler 10");
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_the_application_writes_afterwards_is_there(Pools kind) throws Exception {
    try (var pool = kind.open(database, true, SIZE)) {
      useEverything(pool.connections());
      for (int i = 0; i < SIZE; i++) {
        try (Connection connection = pool.connections().getConnection()) {
          order("by the application", connection);
        }
      }

      assertThat(psql.rows("select count(*) from orders where name = 'by the application'"))
          .containsExactly("8");
    }
  }

  @ParameterizedTest
  @EnumSource
  void connections_that_were_dropped_come_back_by_themselves(Pools kind) throws Exception {
    try (var pool = kind.open(database, true, SIZE);
        Carillon carillon = carillon(pool.connections())) {
      RunId before = carillon.runs().enqueue(RunDraft.of("order"));
      assertThat(ends.poll(60, TimeUnit.SECONDS)).isNotNull();
      psql.rows(
          """
          select pg_terminate_backend(pid)
            from pg_stat_activity
           where datname = current_database() and pid <> pg_backend_pid()
          """);
      RunId after = enqueued(carillon);

      assertThat(ends.poll(60, TimeUnit.SECONDS)).isNotNull();
      assertThat(carillon.runs().get(after).orElseThrow().state().isFinal()).isTrue();
      assertThat(carillon.runs().get(before).orElseThrow().state().isFinal()).isTrue();
    }
  }

  /* The pool may notice only by the failure of whoever is given a dropped connection. */
  private static RunId enqueued(Carillon carillon) {
    while (true) {
      try {
        return carillon.runs().enqueue(RunDraft.of("order"));
      } catch (StoreException dropped) {
        assertThat(dropped.isTransient()).isTrue();
      }
    }
  }

  @Test
  void schedulers_that_share_a_pool_leave_connections_to_others() throws Exception {
    var settings = new HikariConfig();
    settings.setDataSource(database);
    settings.setMaximumPoolSize(10);
    settings.setConnectionTimeout(3_000);
    try (var pool = new HikariDataSource(settings);
        Carillon one = carillon(pool);
        Carillon two = carillon(pool)) {
      for (int i = 0; i < 20; i++) {
        one.runs().enqueue(RunDraft.of("bell"));
        two.runs().enqueue(RunDraft.of("bell"));
      }
      for (int i = 0; i < 40; i++) {
        assertThat(ends.poll(60, TimeUnit.SECONDS)).as("end %s", i).isNotNull();
      }

      try (Connection first = pool.getConnection();
          Connection second = pool.getConnection()) {
        assertThat(first.isValid(5)).isTrue();
        assertThat(second.isValid(5)).isTrue();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_pool_of_one_is_refused(Pools kind) throws Exception {
    try (var pool = kind.open(database, true, 1);
        Carillon carillon = Carillon.builder().dataSource(pool.connections()).build()) {
      assertThatExceptionOfType(StoreException.class)
          .isThrownBy(carillon::start)
          .withMessageEndingWith(
              ", and a scheduler needs one to listen and others to work; give it a pool of at least six");
    }
  }
}
