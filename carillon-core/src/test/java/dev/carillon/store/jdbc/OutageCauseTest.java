package dev.carillon.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which errors of a real PostgreSQL may pass, and what is said about them. */
@ExtendWith(EmbeddedPostgres.class)
class OutageCauseTest {
  private final PostgresServer postgres;
  private final Database database;

  OutageCauseTest(PostgresServer postgres, DataSource source) {
    this.postgres = postgres;
    this.database = new Database(source);
  }

  private static StoreException failure(Database database, String sql) {
    return catchThrowableOfType(StoreException.class, () -> database.script("do something", sql));
  }

  @ParameterizedTest
  @CsvSource({
    "08000, UNREACHABLE, The database cannot be reached",
    "08006, UNREACHABLE, The database cannot be reached",
    "25006, READ_ONLY, The database is read-only",
    "25P03, TOOK_TOO_LONG, The database took too long",
    "25P04, TOOK_TOO_LONG, The database took too long",
    "40001, CONTENTION, The database is busy with other transactions",
    "40P01, CONTENTION, The database is busy with other transactions",
    "53000, SHORT_OF_RESOURCES, The database is short of resources",
    "53100, NO_SPACE, The database has no space left",
    "53200, NO_MEMORY, The database has no memory left",
    "53300, TOO_MANY_CONNECTIONS, The database refuses more connections",
    "53400, SHORT_OF_RESOURCES, The database is short of resources",
    "55P03, CONTENTION, The database is busy with other transactions",
    "57014, TOOK_TOO_LONG, The database took too long",
    "57P01, STARTING_OR_STOPPING, The database is starting or stopping",
    "57P02, STARTING_OR_STOPPING, The database is starting or stopping",
    "57P03, STARTING_OR_STOPPING, The database is starting or stopping",
    "57P04, STARTING_OR_STOPPING, The database is starting or stopping",
    "57P05, TOOK_TOO_LONG, The database took too long",
    "58000, DAMAGED, The database cannot read or write its files",
    "58030, DAMAGED, The database cannot read or write its files",
    "XX001, DAMAGED, The database cannot read or write its files",
    "XX002, DAMAGED, The database cannot read or write its files",
  })
  void what_may_pass_says_why(String state, OutageCause cause, String sentence) {
    StoreException failure =
        failure(
            database,
            "do $$ begin raise exception 'x' using errcode = '%s'; end $$".formatted(state));

    assertThat(failure.isTransient()).isTrue();
    assertThat(failure.outage()).contains(cause);
    assertThat(cause.sentence()).isEqualTo(sentence);
  }

  @ParameterizedTest
  @CsvSource({
    "22P02", "23505", "25000", "25001", "25P02", "0A000", "42501", "42601", "42P01", "54000",
    "P0001", "XX000"
  })
  void the_rest_is_a_mistake(String state) {
    StoreException failure =
        failure(
            database,
            "do $$ begin raise exception 'x' using errcode = '%s'; end $$".formatted(state));

    assertThat(failure.sqlState()).contains(state);
    assertThat(failure.outage()).isEmpty();
    assertThat(failure.isTransient()).isFalse();
  }

  @Test
  void a_server_that_lets_nobody_in_is_an_outage() {
    var stranger = new Database(postgres.dataSource("postgres", "nobody", "guess"));
    var elsewhere = new Database(postgres.dataSource("absent"));

    assertThat(failure(stranger, "select 1").outage()).contains(OutageCause.REFUSES_SIGN_IN);
    assertThat(failure(elsewhere, "select 1").outage()).contains(OutageCause.REFUSES_SIGN_IN);
  }

  @Test
  void a_session_that_was_made_read_only_is_replaced_once_it_stays_so() {
    String name = postgres.createEmpty();
    DataSource pool = postgres.pool(name);
    var written = new Database(pool);
    written.script("prepare", "create table bell (name text)");
    postgres.execute("alter database %s set default_transaction_read_only = on".formatted(name));
    postgres.execute(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = '%s'"
            .formatted(name));
    long deadline = System.nanoTime() + 20_000_000_000L;
    Optional<OutageCause> cause = Optional.empty();
    while (cause.isEmpty() || cause.get() != OutageCause.READ_ONLY) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      cause = add(written);
    }
    postgres.execute("alter database %s reset default_transaction_read_only".formatted(name));

    assertThat(add(written)).contains(OutageCause.READ_ONLY); // the session does not know
    while (cause.isPresent()) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      cause = add(written);
    }
  }

  private static Optional<OutageCause> add(Database database) {
    try {
      database.inTransaction(
          tx -> tx.update("add a bell", "insert into bell values ('x')", bind -> {}));
      return Optional.empty();
    } catch (StoreException e) {
      return e.outage();
    }
  }
}
