package dev.carillon.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.carillon.event.Event;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.Unmigrated;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.postgresql.ds.PGSimpleDataSource;

@ExtendWith(EmbeddedPostgres.class)
class DatabaseTest {
  private static final Event JOINED = new Event.NodeJoined(Instant.EPOCH, new UUID(1, 2), 3);

  private final DataSource postgres;
  private final Database database;

  DatabaseTest(@Unmigrated DataSource postgres) {
    this.postgres = postgres;
    database = new Database(postgres);
  }

  @BeforeEach
  void create_a_table() {
    database.script("create", "create table bell (name text primary key, at timestamptz, n int)");
  }

  @Test
  void what_is_written_can_be_read() {
    var at = Instant.parse("2026-03-29T01:30:00.123456Z");
    int changed =
        database.update(
            "add a bell",
            "insert into bell values (:name, :at, :n)",
            bind -> bind.set("name", "İris").set("at", at).set("n", 3));

    assertThat(changed).isEqualTo(1);
    assertThat(
            database.query(
                "find bells",
                "select name, at, n, true as rings from bell where at = :at",
                bind -> bind.set("at", at),
                row -> row.text("name") + row.instant("at") + row.integer("n") + row.flag("rings")))
        .containsExactly("İris2026-03-29T01:30:00.123456Z3true");
  }

  @Test
  void tests_do_not_run_in_utc() {
    assertThat(
            database.query(
                "zone", "select current_setting('TimeZone') as zone", row -> row.text("zone")))
        .doesNotContain("UTC", "Etc/UTC", "GMT");
  }

  @Test
  void a_transaction_keeps_nothing_of_work_that_throws() {
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                database.inTransaction(
                    tx -> {
                      add(tx, "one");
                      throw new IllegalStateException("no");
                    }))
        .withMessage("no");

    assertThat(names()).isEmpty();
    add("two");
    assertThat(names()).containsExactly("two");
  }

  @Test
  void a_transaction_keeps_all_of_work_that_returns() {
    int changed = database.inTransaction(tx -> add(tx, "one") + add(tx, "two"));

    assertThat(changed).isEqualTo(2);
    assertThat(names()).containsExactly("one", "two");
  }

  @Test
  void the_events_of_a_transaction_are_published_once_it_is_committed() {
    var seen = new ArrayList<List<String>>();

    database
        .publishingTo(event -> seen.add(names()))
        .inTransaction(
            tx -> {
              tx.publish(JOINED);
              assertThat(seen).isEmpty();
              return add(tx, "one");
            });

    assertThat(seen).containsExactly(List.of("one"));
  }

  @Test
  void a_transaction_that_is_not_kept_publishes_nothing() {
    var told = new ArrayList<Event>();
    Database telling = database.publishingTo(told::add);

    telling.rehearse(
        tx -> {
          tx.publish(JOINED);
          return add(tx, "one");
        });
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                telling.inTransaction(
                    tx -> {
                      tx.publish(JOINED);
                      throw new IllegalStateException("no");
                    }));

    assertThat(names()).isEmpty();
    assertThat(told).isEmpty();
  }

  @Test
  void work_that_is_done_again_publishes_its_events_once() {
    var told = new ArrayList<Event>();
    var tries = new AtomicInteger();

    database
        .publishingTo(told::add)
        .inTransaction(
            tx -> {
              tx.publish(JOINED);
              if (tries.incrementAndGet() < 3) {
                tx.script(
                    "fail", "do $$ begin raise sqlstate '40001'; end $$"); // serialization failure
              }
              return true;
            });

    assertThat(tries).hasValue(3);
    assertThat(told).containsExactly(JOINED);
  }

  @Test
  void a_transaction_of_the_caller_is_left_to_the_caller() throws SQLException {
    try (Connection connection = postgres.getConnection()) {
      connection.setAutoCommit(false);
      add(database.on(connection), "one");
      connection.rollback();
    }

    assertThat(names()).isEmpty();
  }

  @Test
  void a_failure_names_the_statement_and_hides_the_values() {
    add("secret-key");

    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(() -> add("secret-key"))
        .satisfies(
            e -> {
              assertThat(e)
                  .hasMessage(
                      "add a bell: ERROR: duplicate key value violates unique constraint"
                          + " \"bell_pkey\" (SQLSTATE 23505)");
              assertThat(e.statement()).isEqualTo("add a bell");
              assertThat(e.sqlState()).contains("23505");
              assertThat(e.isTransient()).isFalse();
              assertThat(e).hasNoCause();
            });
  }

  @Test
  void what_postgres_says_about_a_value_is_not_repeated() {
    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(
            () ->
                database.query(
                    "parse",
                    "select :text::text::integer as n",
                    bind -> bind.set("text", "secret"),
                    row -> row.integer("n")))
        .withMessage("parse: a value does not fit (SQLSTATE 22P02)");
  }

  @Test
  void a_parameter_that_is_missing_or_too_many_is_named() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> database.update("add a bell", "insert into bell values (:name)", b -> {}))
        .withMessage("add a bell needs a value for [name]");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> database.update("clear", "delete from bell", bind -> bind.set("name", "secret")))
        .withMessage("clear has no parameter :name");
  }

  @Test
  void null_goes_in_but_is_not_read_as_a_value() {
    database.update(
        "add a bell", "insert into bell values ('x', :at, null)", bind -> bind.set("at", null));

    assertThatIllegalStateException()
        .isThrownBy(
            () -> database.query("find bells", "select at from bell", row -> row.instant("at")))
        .withMessage("find bells: at is null");
  }

  @Test
  void a_reply_that_takes_too_long_is_given_up_and_may_be_tried_again() {
    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(
            () ->
                database
                    .waitingAtMost(Duration.ofMillis(100))
                    .script("doze", "select pg_sleep(30)"))
        .satisfies(
            e -> {
              assertThat(e.statement()).isEqualTo("doze");
              assertThat(e.isTransient()).isTrue();
            });
  }

  @Test
  void a_transaction_that_falls_silent_loses_its_locks_and_may_be_tried_again() {
    add("silent");

    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(
            () ->
                database.inOneTransaction(
                    tx -> {
                      tx.planEachCall(Duration.ofMillis(50));
                      lock(tx, "silent");
                      return lock(database, "silent");
                    }))
        .satisfies(e -> assertThat(e.isTransient()).isTrue());
  }

  private static List<String> lock(Statements statements, String name) {
    return statements.query(
        "lock a bell",
        "select name from bell where name = :name for update",
        bind -> bind.set("name", name),
        row -> row.text("name"));
  }

  @Test
  void a_database_that_cannot_be_reached_may_be_there_later() {
    var nowhere = new PGSimpleDataSource();
    nowhere.setURL("jdbc:postgresql://127.0.0.1:1/nowhere");

    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(() -> new Database(nowhere).script("anything", "select 1"))
        .satisfies(
            e -> {
              assertThat(e).hasMessageStartingWith("connect: Connection to 127.0.0.1:1 refused.");
              assertThat(e.isTransient()).isTrue();
            });
  }

  private int add(String name) {
    return add(database, name);
  }

  private static int add(Statements statements, String name) {
    return statements.update(
        "add a bell", "insert into bell (name) values (:name)", bind -> bind.set("name", name));
  }

  private List<String> names() {
    return database.query(
        "list bells", "select name from bell order by name", row -> row.text("name"));
  }
}
