package dev.carillon.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.carillon.Carillon;
import dev.carillon.ScheduleDraft;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import dev.carillon.fixture.Psql;
import dev.carillon.store.jdbc.StoreException;
import io.micronaut.data.connection.jdbc.advice.DelegatingDataSource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;

/** Data sources that hand out the connection of the caller's transaction, if there is one. */
@ExtendWith(EmbeddedPostgres.class)
class TransactionAwareSourcesTest {
  private final DataSource database;
  private final Psql psql;
  private Optional<Connection> callers = Optional.empty();

  TransactionAwareSourcesTest(PostgresServer server) {
    database = server.dataSource(server.createMigrated());
    psql = new Psql(database);
    psql.execute("create table orders (name text)");
  }

  private Connection connection() throws SQLException {
    return callers.isPresent() ? uncloseable(callers.get()) : database.getConnection();
  }

  private static Connection uncloseable(Connection connection) {
    return (Connection)
        Proxy.newProxyInstance(
            TransactionAwareSourcesTest.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (self, method, arguments) -> {
              if (method.getName().equals("close")) {
                return null;
              }
              try {
                return method.invoke(connection, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /* As Micronaut makes them: a wrapper that asks for the connection of the transaction. */
  private final class Contextual extends DelegatingDataSource {
    Contextual() {
      super(database);
    }

    @Override
    public Connection getConnection() throws SQLException {
      return connection();
    }
  }

  /* Of a framework that nobody has heard of. */
  private final class Unknown extends AbstractDataSource {
    @Override
    public Connection getConnection() throws SQLException {
      return connection();
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
      return connection();
    }
  }

  private interface Work {
    void run(Carillon carillon);
  }

  private void inTransactionThatFails(DataSource source, Work work) throws SQLException {
    try (Carillon carillon =
            Carillon.builder().dataSource(source).target("ship", context -> {}).build();
        Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      try (var statement = connection.createStatement()) {
        statement.execute("insert into orders values ('refused')");
      }
      callers = Optional.of(connection);
      work.run(carillon);
      callers = Optional.empty();
      assertThat(connection.getAutoCommit()).isFalse();
      connection.rollback();
    }
    assertThat(psql.rows("select name from orders")).isEmpty();
  }

  private static void upsert(Carillon carillon) {
    carillon.schedules().upsert(ScheduleDraft.named("ship").target("ship").in(Duration.ofDays(1)));
  }

  @Test
  void the_wrapper_of_micronaut_is_taken_off() throws SQLException {
    inTransactionThatFails(new Contextual(), TransactionAwareSourcesTest::upsert);

    assertThat(psql.rows("select key from carillon.schedule")).containsExactly("ship");
  }

  @Test
  void a_wrapper_around_the_wrapper_is_taken_off_with_it() throws SQLException {
    inTransactionThatFails(
        new LazyConnectionDataSourceProxy(new Contextual()), TransactionAwareSourcesTest::upsert);

    assertThat(psql.rows("select key from carillon.schedule")).containsExactly("ship");
  }

  @Test
  void an_unknown_wrapper_is_refused_when_it_hands_out_a_transaction() throws SQLException {
    inTransactionThatFails(
        new Unknown(),
        carillon ->
            assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> upsert(carillon))
                .withMessage(
                    "the data source handed out a connection on which a transaction is open already, which Carillon must not end; give Carillon the pool itself, not a wrapper that takes part in the transactions of its caller"));

    assertThat(psql.rows("select key from carillon.schedule")).isEmpty();
  }
}
