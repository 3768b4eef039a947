package dev.carillon.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.postgresql.PGStatement;

/**
 * PostgreSQL as the stores see it: whole named statements with named parameters.
 *
 * <p>Every statement has a name, under which its failures are reported; it commits on its own
 * unless it is called inside {@link #inTransaction}.
 */
public final class Database {
  private static final int MOST_TRIES = 5;
  private static final Duration SILENCE = Duration.ofSeconds(15);

  /* Bounded by the number of statements in the source code: no statement is assembled. */
  private final Map<String, Sql> parsed = new ConcurrentHashMap<>();

  private final Connections connections;

  /** Use the connections of {@code source}, waiting as long as it takes. */
  public Database(DataSource source) {
    this(new Connections(source));
  }

  private Database(Connections connections) {
    this.connections = connections;
  }

  /** Return the same database, given up on when a reply takes longer than {@code patience}. */
  public Database waitingAtMost(Duration patience) {
    return new Database(connections.waitingAtMost(patience));
  }

  /** Run a statement without parameters and return its rows. */
  <T> List<T> query(String name, String sql, Function<Row, T> toValue) {
    return query(name, sql, bind -> {}, toValue);
  }

  /** Run a statement and return its rows. */
  <T> List<T> query(String name, String sql, Consumer<Bind> binder, Function<Row, T> toValue) {
    return prepared(
        name,
        sql,
        binder,
        statement -> {
          var values = new ArrayList<T>();
          try (ResultSet rows = statement.executeQuery()) {
            var row = new Row(name, rows);
            while (rows.next()) {
              values.add(toValue.apply(row));
            }
          }
          return values;
        });
  }

  /** Run a statement and return how many rows it changed. */
  int update(String name, String sql, Consumer<Bind> binder) {
    return prepared(name, sql, binder, PreparedStatement::executeUpdate);
  }

  /** Run several statements as they stand: nothing in them is a parameter. */
  void script(String name, String sql) {
    connections.use(
        name,
        connection -> {
          try (Statement statement = connection.createStatement()) {
            return statement.execute(sql);
          }
        });
  }

  /**
   * Make sure that this is a server Carillon works with, spoken to in a way that works.
   *
   * @throws StoreException if it is not, with the cure
   */
  public void refuseUnfit() {
    connections.use("check the connection", ServerCheck::refuseUnfit);
  }

  /**
   * Say whether a process such as pgbouncer stands between us and PostgreSQL: then statements are
   * not prepared, and nothing is listened to.
   */
  public boolean isBehindPooler() {
    return connections.use("look for a pooler", connections::arePooledElsewhere);
  }

  /**
   * Do {@code work} in one transaction: all of it is kept, or, when it throws, nothing.
   *
   * <p>Work that PostgreSQL rolled back because of another transaction is done again, so it must
   * not leave traces elsewhere.
   */
  public <T> T inTransaction(Supplier<T> work) {
    return repeatedly(() -> inOneTransaction(connection -> work.get()));
  }

  private static <T> T repeatedly(Supplier<T> transaction) {
    for (int tries = 1; ; tries++) {
      try {
        return transaction.get();
      } catch (StoreException e) {
        if (!e.isRolledBack() || tries == MOST_TRIES) {
          throw e;
        }
      }
    }
  }

  /**
   * Make the rest of the transaction find rows by their keys, by plans that are made for each call,
   * and end when nothing is heard from this process for longer than {@code silence}.
   *
   * <p>The planner does not know that a batch names a few rows out of many, and would read a table
   * whole: a plan that gets slower with every row, just when there is most to do. And a process
   * that is frozen, or gone without a word, would keep its locks from those who take over.
   */
  public void hurry(Duration silence) {
    query(
        "hurry",
        """
        select set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true),
               set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
               set_config('jit', 'off', true), set_config('plan_cache_mode', 'force_custom_plan', true),
               set_config('idle_in_transaction_session_timeout', :silence, true)
        """,
        bind -> bind.set("silence", silence.toMillis() + "ms"),
        row -> true);
    connections.hurry();
  }

  /**
   * Make the transaction end when nothing is heard from this process for a while, unless it does.
   */
  void limitSilence() {
    query(
        "limit silence",
        """
        select set_config('idle_in_transaction_session_timeout', :silence, true)
         where current_setting('idle_in_transaction_session_timeout') = '0'
        """,
        bind -> bind.set("silence", SILENCE.toMillis() + "ms"),
        row -> true);
  }

  /** Do {@code work} as {@link #inTransaction} does, keep what it returns, and nothing else. */
  public <T> T rehearse(Supplier<T> work) {
    return repeatedly(
        () -> connections.inTransaction(connection -> work.get(), Borrowed::rollBack));
  }

  /** Do {@code work}, which is handed the connection, in one transaction, once. */
  public <T> T inOneTransaction(Function<Connection, T> work) {
    return connections.inTransaction(work, Borrowed::commit);
  }

  /**
   * Do {@code work} in the transaction that the caller has open on {@code connection}, whatever
   * transaction the thread is in otherwise.
   */
  public <T> T within(Connection connection, Supplier<T> work) {
    return connections.within(connection, work);
  }

  /**
   * Do {@code work}, which is not ours, as if the calling thread were in no transaction: what it
   * asks of us commits on its own, unless it is done {@link #within} a connection it names.
   */
  public <T> T aside(Supplier<T> work) {
    return connections.aside(work);
  }

  private <T> T prepared(
      String name, String sql, Consumer<Bind> binder, Connections.Work<PreparedStatement, T> work) {
    Sql plain = parsed.computeIfAbsent(sql, Sql::parse);
    var bind = new Bind(name, Set.copyOf(plain.names()));
    binder.accept(bind);
    return connections.use(
        name,
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(plain.text())) {
            boolean anew = bind.isBatch() && !connections.isHurried();
            if (anew || connections.arePooledElsewhere(connection)) {
              doNotPrepare(statement);
            }
            bind.fill(connection, statement, plain.names());
            return work.apply(statement);
          }
        });
  }

  /* A plan kept from when the table was empty would read the whole table for each batch, until the
   * next ANALYZE. Planning costs well under a millisecond for a batch of up to a thousand rows. A
   * transaction that is in a hurry plans anew by itself, and so can keep the statement prepared.
   * Behind a pooler, what was prepared for one transaction is missing in the next. */
  private static void doNotPrepare(PreparedStatement statement) throws SQLException {
    if (statement.isWrapperFor(PGStatement.class)) {
      statement.unwrap(PGStatement.class).setPrepareThreshold(0);
    }
  }
}
