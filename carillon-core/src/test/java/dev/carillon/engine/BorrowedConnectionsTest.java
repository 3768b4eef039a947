package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.carillon.Carillon;
import dev.carillon.RunDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.event.EngineLoop;
import dev.carillon.fixture.BarePool;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import dev.carillon.fixture.Psql;
import dev.carillon.store.jdbc.StoreException;
import dev.carillon.testing.ManualCarillon;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;

/** Connections come from a pool that others use too, and go back as they came. */
@ExtendWith(EmbeddedPostgres.class)
class BorrowedConnectionsTest {
  private final DataSource postgres;
  private final Belfry belfry;
  private final BarePool pool;
  private final ManualCarillon node;

  BorrowedConnectionsTest(DataSource postgres, PostgresServer server) throws SQLException {
    this.postgres = postgres;
    String database = new Psql(postgres).rows("select current_database()").get(0);
    pool = new BarePool(server.dataSource(database), 5);
    belfry = new Belfry(postgres);
    node =
        belfry.nodeOn(
            pool.dataSource(),
            builder ->
                builder
                    .target("bell", context -> {})
                    .target(
                        "broken",
                        context -> {
                          throw new IllegalStateException("no rope");
                        })
                    .transactionalTarget("insert", BorrowedConnectionsTest::insert)
                    .transactionalTarget(
                        "fail",
                        (context, connection) -> {
                          insert(context, connection);
                          throw new IllegalStateException("no rope");
                        }));
  }

  private static void insert(Object context, Connection connection) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute("insert into orders values ('by a handler')");
    }
  }

  @BeforeEach
  void makeOrders() {
    belfry.psql().execute("create table if not exists orders (name text)");
    belfry.psql().execute("truncate orders");
  }

  @AfterEach
  void close() throws SQLException {
    belfry.close();
    pool.close();
  }

  private void useEverything() {
    node.schedules()
        .create(ScheduleDraft.named("minutely").target("bell").every(Duration.ofMinutes(1)));
    for (String target : List.of("bell", "broken", "insert", "fail")) {
      node.runs().enqueue(RunDraft.of(target));
    }
    node.pass(Duration.ofMinutes(5));
    node.turn(EngineLoop.HOUSEKEEPING);
  }

  private record State(
      boolean autoCommit, boolean readOnly, int timeout, int threshold, String server) {}

  private static State state(Connection connection) throws SQLException {
    boolean autoCommit = connection.getAutoCommit();
    String settings;
    try (var statement = connection.createStatement();
        var row =
            statement.executeQuery(
                """
                select string_agg(name || '=' || setting, ' ' order by name)
                       || (select coalesce(string_agg(channel, ' '), '')
                             from pg_listening_channels() as channel)
                       || (select count(*) from pg_locks
                            where locktype = 'advisory' and pid = pg_backend_pid())
                  from pg_settings
                 where source = 'session'
                   and name not like 'transaction%'
                """)) {
      row.next();
      settings = row.getString(1);
    }
    if (!autoCommit) {
      connection.rollback();
    }
    return new State(
        autoCommit,
        connection.isReadOnly(),
        connection.getNetworkTimeout(),
        connection.unwrap(PGConnection.class).getPrepareThreshold(),
        String.valueOf(settings));
  }

  private static List<State> states(BarePool pool) throws SQLException {
    var states = new ArrayList<State>();
    for (Connection connection : pool.idle()) {
      states.add(state(connection));
    }
    return states;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void connections_go_back_as_they_came(boolean autoCommit) throws SQLException {
    Connection lent = pool.dataSource().getConnection();
    lent.setAutoCommit(autoCommit);
    lent.close();
    State before = states(pool).get(0);

    useEverything();

    assertThat(states(pool))
        .contains(before)
        .allMatch(state -> state.server().equals(before.server()));
    assertThat(belfry.psql().rows("select name from orders")).containsExactly("by a handler");
  }

  @Test
  void a_connection_that_was_lent_read_only_goes_back_so_and_is_written_to_meanwhile()
      throws SQLException {
    Connection lent = pool.dataSource().getConnection();
    lent.setReadOnly(true);
    lent.close();
    List<State> before = states(pool);

    useEverything();

    assertThat(states(pool)).isEqualTo(before);
    assertThat(belfry.psql().rows("select name from orders")).containsExactly("by a handler");
  }

  @Test
  void a_transaction_that_is_open_on_a_lent_connection_is_not_touched() throws SQLException {
    try (Connection callers = postgres.getConnection()) {
      callers.setAutoCommit(false);
      insert("", callers);
      pool.add(callers);

      assertThatExceptionOfType(StoreException.class)
          .isThrownBy(() -> node.runs().enqueue(RunDraft.of("bell")))
          .withMessage(
              "the data source handed out a connection on which a transaction is open already, which Carillon must not end; give Carillon the pool itself, not a wrapper that takes part in the transactions of its caller");
      assertThatExceptionOfType(StoreException.class)
          .isThrownBy(() -> node.schedules().get("minutely"));

      assertThat(callers.getAutoCommit()).isFalse();
      pool.remove(callers);
      callers.rollback();
    }

    assertThat(belfry.psql().rows("select name from orders")).isEmpty();
  }

  @Test
  void a_listening_connection_goes_back_deaf() throws SQLException {
    try (Carillon carillon =
        Carillon.builder().dataSource(pool.dataSource()).target("bell", context -> {}).build()) {
      carillon.start();
      carillon.runs().enqueue(RunDraft.of("bell"));
    }

    assertThat(states(pool)).isNotEmpty().allMatch(state -> state.autoCommit());
    for (Connection connection : pool.idle()) {
      belfry.psql().execute("select pg_notify('carillon', 'run')");
      assertThat(connection.unwrap(PGConnection.class).getNotifications(1)).isNullOrEmpty();
    }
  }
}
