package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.carillon.Carillon;
import dev.carillon.RunDraft;
import dev.carillon.event.Event;
import dev.carillon.fixture.Await;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.Psql;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.target.TransactionalHandler;
import dev.carillon.testing.ManualCarillon;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.postgresql.core.BaseConnection;
import org.postgresql.jdbc.PgConnection;

/** What a transactional handler can do with its connection, and what it cannot. */
@ExtendWith(EmbeddedPostgres.class)
class HandlerTransactionsTest {
  private final DataSource postgres;
  private final Belfry belfry;
  private final Psql psql;
  private final ManualCarillon node;
  private TransactionalHandler handler = (context, connection) -> {};

  HandlerTransactionsTest(DataSource postgres) {
    this.postgres = postgres;
    belfry = new Belfry(postgres);
    psql = belfry.psql();
    node =
        belfry.node(
            builder ->
                builder.transactionalTarget(
                    "effect", (context, connection) -> handler.run(context, connection)));
  }

  @BeforeEach
  void makeEffects() {
    psql.execute("create table if not exists effect (run text)");
    psql.execute("truncate effect");
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private List<String> effects() {
    return psql.rows("select run from effect order by run");
  }

  private Run ended() {
    RunId id = node.runs().enqueue(RunDraft.of("effect"));
    node.runDue();
    return node.runs().get(id).orElseThrow();
  }

  private interface Way {
    Connection back(Connection connection) throws SQLException;
  }

  static Stream<Named<Way>> ways() {
    return Stream.of(
        Named.of("itself", connection -> connection),
        Named.of("unwrap", connection -> connection.unwrap(Connection.class)),
        Named.of("driver", connection -> connection.unwrap(BaseConnection.class)),
        Named.of("statement", connection -> connection.createStatement().getConnection()),
        Named.of("prepared", connection -> connection.prepareStatement("select 1").getConnection()),
        Named.of("call", connection -> connection.prepareCall("select 1").getConnection()),
        Named.of("metadata", connection -> connection.getMetaData().getConnection()),
        Named.of(
            "result",
            connection ->
                connection
                    .createStatement()
                    .executeQuery("select 1")
                    .getStatement()
                    .getConnection()),
        Named.of(
            "metadata's result",
            connection -> connection.getMetaData().getTableTypes().getStatement().getConnection()),
        Named.of(
            "array",
            connection ->
                connection
                    .createArrayOf("int", new Object[] {1})
                    .getResultSet()
                    .getStatement()
                    .getConnection()));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void no_way_leads_to_a_connection_that_commits(Way way) {
    handler =
        (context, connection) -> {
          execute(connection, "insert into effect values ('written')");
          way.back(connection).commit();
        };
    Run run = ended();

    assertThat(run.failure().orElseThrow().message())
        .isEqualTo(
            "a transactional handler does not call commit(): returning commits, throwing rolls back");
    assertThat(effects()).isEmpty();
  }

  @Test
  void the_class_of_the_driver_cannot_be_had() {
    handler = (context, connection) -> connection.unwrap(PgConnection.class).commit();

    assertThat(ended().failure().orElseThrow().message())
        .startsWith("a transactional handler cannot unwrap org.postgresql.jdbc.PgConnection");
  }

  @ParameterizedTest
  @ValueSource(strings = {"commit", "rollback", "end", "ABORT", "/* so */ commit work"})
  void sql_that_ends_the_transaction_is_refused(String sql) {
    handler =
        (context, connection) -> {
          execute(connection, "insert into effect values ('written')");
          execute(connection, sql);
        };
    Run run = ended();

    assertThat(run.failure().orElseThrow().message())
        .startsWith("a transactional handler does not execute ")
        .endsWith(": returning commits, throwing rolls back");
    assertThat(effects()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "insert into effect values ('written'); commit",
        "insert into effect values ('written'); commit; begin",
        "insert into effect values ('written'); rollback; begin; insert into effect values ('late')"
      })
  void a_run_whose_transaction_was_ended_by_its_sql_has_not_succeeded(String sql) {
    handler =
        (context, connection) -> {
          execute(connection, sql);
          execute(connection, "insert into effect values ('after')");
        };
    Run run = ended();

    assertThat(run.state()).isEqualTo(RunState.FAILED);
    assertThat(run.failure().orElseThrow().message())
        .startsWith("the handler's own SQL ended its transaction: ");
    assertThat(effects()).doesNotContain("after", "late");
  }

  @Test
  void savepoints_copies_arrays_and_the_interfaces_of_the_driver_work() {
    handler =
        (context, connection) -> {
          connection
              .unwrap(PGConnection.class)
              .getCopyAPI()
              .copyIn("copy effect from stdin", new StringReader("copied\n"));
          execute(connection, "savepoint half");
          execute(connection, "insert into effect values ('undone')");
          execute(connection, "rollback to half");
          try (var insert =
              connection.prepareStatement("insert into effect select unnest(?::text[])")) {
            insert.setArray(1, connection.createArrayOf("text", new Object[] {"in an array"}));
            insert.executeUpdate();
          }
        };

    assertThat(ended().state()).isEqualTo(RunState.SUCCEEDED);
    assertThat(effects()).containsExactly("copied", "in an array");
  }

  @Test
  void a_connection_that_was_kept_is_of_no_use_afterwards() {
    var kept = new ArrayList<Connection>();
    handler = (context, connection) -> kept.add(connection);
    ended();

    assertThatExceptionOfType(SQLException.class)
        .isThrownBy(() -> execute(kept.get(0), "insert into effect values ('late')"))
        .withMessageStartingWith("the transactional handler has returned");
  }

  @Test
  @Timeout(120)
  void a_timeout_cancels_the_statement_of_a_handler() throws Exception {
    var failed = new CompletableFuture<Event.Finished>();
    try (Carillon carillon =
        Carillon.builder()
            .dataSource(postgres)
            .transactionalTarget(
                "slow", (context, connection) -> execute(connection, "select pg_sleep(300)"))
            .listener(
                event -> {
                  if (event instanceof Event.Finished finished) {
                    failed.complete(finished);
                  }
                })
            .build()
            .start()) {
      carillon.runs().enqueue(RunDraft.of("slow").timeout(Duration.ofMillis(200)));
      Event.Finished finished = failed.get(60, TimeUnit.SECONDS);

      assertThat(finished.failure().orElseThrow().code()).isEqualTo("timeout");
      Await.until(
          "the statement to end",
          () ->
              psql.rows(
                      "select 1 from pg_stat_activity where query like 'select pg_sleep(300)%' and state = 'active'")
                  .isEmpty());
    }
  }
}
