package dev.carillon.store;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
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

  /* The transaction the calling thread is in, if it is in one. Stores called inside a transaction
   * so join it without being handed a connection. Not static: a thread may use two databases. */
  @SuppressWarnings("ThreadLocalUsage")
  private final ThreadLocal<@Nullable Transaction> current = new ThreadLocal<>();

  /* Bounded by the number of statements in the source code: no statement is assembled. */
  private final Map<String, Sql> parsed = new ConcurrentHashMap<>();

  private final DataSource source;
  private final Optional<Duration> patience;

  /** Use the connections of {@code source}, waiting as long as it takes. */
  public Database(DataSource source) {
    this(source, Optional.empty());
  }

  private Database(DataSource source, Optional<Duration> patience) {
    this.source = source;
    this.patience = patience;
  }

  /** Return the same database, given up on when a reply takes longer than {@code patience}. */
  public Database waitingAtMost(Duration patience) {
    return new Database(source, Optional.of(patience));
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
    connected(
        name,
        connection -> {
          try (Statement statement = connection.createStatement()) {
            return statement.execute(sql);
          }
        });
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
    Transaction open = current.get();
    if (open != null) {
      open.hurried = true;
    }
  }

  private boolean isHurried() {
    Transaction open = current.get();
    return open != null && open.hurried;
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
    return repeatedly(() -> inOneTransaction(connection -> work.get(), Connection::rollback));
  }

  /** Do {@code work}, which is handed the connection, in one transaction, once. */
  public <T> T inOneTransaction(Function<Connection, T> work) {
    return inOneTransaction(work, Connection::commit);
  }

  private <T> T inOneTransaction(Function<Connection, T> work, Ending ending) {
    if (current.get() != null) {
      throw new IllegalStateException(
          "a transaction is already open; pass its work to the outer one");
    }
    try (Connection connection = connect()) {
      connection.setAutoCommit(false);
      current.set(new Transaction(connection));
      try {
        T result = work.apply(connection);
        ending.of(connection);
        return result;
      } catch (RuntimeException | Error e) {
        rollBack(connection, e);
        throw e;
      } finally {
        current.remove();
      }
    } catch (SQLException e) {
      throw StoreException.of("transaction", e);
    }
  }

  /**
   * Do {@code work} in the transaction that the caller has open on {@code connection}, whatever
   * transaction the thread is in otherwise.
   */
  public <T> T within(Connection connection, Supplier<T> work) {
    Transaction outer = current.get();
    current.set(new Transaction(connection));
    try {
      return work.get();
    } finally {
      if (outer == null) {
        current.remove();
      } else {
        current.set(outer);
      }
    }
  }

  /**
   * Do {@code work}, which is not ours, as if the calling thread were in no transaction: what it
   * asks of us commits on its own, unless it is done {@link #within} a connection it names.
   */
  public <T> T aside(Supplier<T> work) {
    Transaction open = current.get();
    current.remove();
    try {
      return work.get();
    } finally {
      current.set(open);
    }
  }

  /* A connection too broken to roll back is rolled back by the server; why the work failed counts. */
  private static void rollBack(Connection connection, Throwable failure) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      failure.addSuppressed(StoreException.of("rollback", e));
    }
  }

  private <T> T prepared(
      String name, String sql, Consumer<Bind> binder, Work<PreparedStatement, T> work) {
    Sql plain = parsed.computeIfAbsent(sql, Sql::parse);
    var bind = new Bind(name, Set.copyOf(plain.names()));
    binder.accept(bind);
    return connected(
        name,
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(plain.text())) {
            if (bind.batch && !isHurried()) {
              planAnew(statement);
            }
            int index = 0;
            for (String parameter : plain.names()) {
              Object value = bind.value(parameter);
              if (value instanceof Items items) {
                statement.setArray(++index, connection.createArrayOf(items.type, items.toArray()));
              } else {
                statement.setObject(++index, value);
              }
            }
            return work.apply(statement);
          }
        });
  }

  /* A plan kept from when the table was empty would read the whole table for each batch, until the
   * next ANALYZE. Planning costs well under a millisecond for a batch of up to a thousand rows. A
   * transaction that is in a hurry plans anew by itself, and so can keep the statement prepared. */
  private static void planAnew(PreparedStatement statement) throws SQLException {
    if (statement.isWrapperFor(PGStatement.class)) {
      statement.unwrap(PGStatement.class).setPrepareThreshold(0);
    }
  }

  private <T> T connected(String name, Work<Connection, T> work) {
    Transaction open = current.get();
    if (open != null) {
      return named(name, open.connection, work);
    }
    try (Connection connection = connect()) {
      connection.setAutoCommit(true); // a pool may hand out connections that never commit
      return named(name, connection, work);
    } catch (SQLException e) {
      throw StoreException.of(name, e);
    }
  }

  private static <T> T named(String name, Connection connection, Work<Connection, T> work) {
    try {
      return work.apply(connection);
    } catch (SQLException e) {
      throw StoreException.of(name, e);
    }
  }

  private Connection connect() {
    try {
      Connection connection = source.getConnection();
      try {
        if (patience.isPresent()) {
          connection.setNetworkTimeout(Runnable::run, Math.toIntExact(patience.get().toMillis()));
        }
        return connection;
      } catch (SQLException e) {
        connection.close();
        throw e;
      }
    } catch (SQLException e) {
      throw StoreException.unreachable(e);
    }
  }

  /** A transaction, and whether its statements are planned for each call. */
  private static final class Transaction {
    private final Connection connection;
    private boolean hurried;

    Transaction(Connection connection) {
      this.connection = connection;
    }
  }

  /** The values of an array parameter, and the SQL type of one of them. */
  private record Items(String type, List<@Nullable Object> values) {

    /* The driver sends an array in binary if it has the class that belongs to the type. */
    @Nullable Object[] toArray() {
      return switch (type) {
        case "bigint" -> values.toArray(new Long[0]);
        case "int" -> values.toArray(new Integer[0]);
        case "text" -> values.toArray(new String[0]);
        default -> values.toArray();
      };
    }
  }

  /** How a transaction whose work is done ends. */
  private interface Ending {
    void of(Connection connection) throws SQLException;
  }

  /** Work that may fail as JDBC fails. */
  private interface Work<A, B> {
    B apply(A argument) throws SQLException;
  }

  /** The values of a statement's parameters, by name. */
  static final class Bind {
    private final String statement;
    private final Set<String> names;
    private final Map<String, @Nullable Object> values = new HashMap<>();
    private boolean batch;

    private Bind(String statement, Set<String> names) {
      this.statement = statement;
      this.names = names;
    }

    /** Give {@code name} a value; a nullable column takes null. */
    Bind set(String name, @Nullable Object value) {
      if (!names.contains(name)) {
        throw new IllegalArgumentException("%s has no parameter :%s".formatted(statement, name));
      }
      Object plain = value instanceof Optional<?> optional ? optional.orElse(null) : value;
      values.put(name, plain instanceof Instant at ? at.atOffset(ZoneOffset.UTC) : plain);
      return this;
    }

    /** Give {@code name} an array of {@code items}, each made SQL by {@code toValue}. */
    <T> Bind array(
        String name, String type, Collection<T> items, Function<T, @Nullable Object> toValue) {
      var array = new ArrayList<@Nullable Object>(items.size());
      for (T item : items) {
        Object value = toValue.apply(item);
        array.add(plain(value instanceof Optional<?> optional ? optional.orElse(null) : value));
      }
      batch = true;
      return set(name, new Items(type, array));
    }

    /* The driver sends times in an array as text. */
    private static @Nullable Object plain(@Nullable Object value) {
      return value instanceof Instant at ? at.toString() : value;
    }

    private @Nullable Object value(String name) {
      if (!values.containsKey(name)) {
        var missing = new HashSet<>(names);
        missing.removeAll(values.keySet());
        throw new IllegalArgumentException("%s needs a value for %s".formatted(statement, missing));
      }
      return values.get(name);
    }
  }

  /** The current row of a result, by column name. */
  static final class Row {
    private final String statement;
    private final ResultSet rows;

    private Row(String statement, ResultSet rows) {
      this.statement = statement;
      this.rows = rows;
    }

    String text(String column) {
      return present(column, optionalText(column));
    }

    int integer(String column) {
      return value(column, Integer.class);
    }

    long number(String column) {
      return value(column, Long.class);
    }

    UUID uuid(String column) {
      return value(column, UUID.class);
    }

    /* Not getObject, which knows no text of a jsonb. */
    Optional<String> optionalText(String column) {
      try {
        return Optional.ofNullable(rows.getString(column));
      } catch (SQLException e) {
        throw StoreException.of(statement, e);
      }
    }

    Optional<Long> optionalNumber(String column) {
      return optional(column, Long.class);
    }

    Optional<Integer> optionalInteger(String column) {
      return optional(column, Integer.class);
    }

    Optional<UUID> optionalUuid(String column) {
      return optional(column, UUID.class);
    }

    Optional<Instant> optionalInstant(String column) {
      return optional(column, OffsetDateTime.class).map(OffsetDateTime::toInstant);
    }

    List<String> texts(String column) {
      try {
        Array array = rows.getArray(column);
        return array == null ? List.of() : List.of((String[]) array.getArray());
      } catch (SQLException e) {
        throw StoreException.of(statement, e);
      }
    }

    boolean flag(String column) {
      return value(column, Boolean.class);
    }

    Instant instant(String column) {
      return value(column, OffsetDateTime.class).toInstant();
    }

    private <T> T value(String column, Class<T> type) {
      return present(column, optional(column, type));
    }

    private <T> T present(String column, Optional<T> value) {
      return value.orElseThrow(
          () -> new IllegalStateException("%s: %s is null".formatted(statement, column)));
    }

    private <T> Optional<T> optional(String column, Class<T> type) {
      try {
        return Optional.ofNullable(rows.getObject(column, type));
      } catch (SQLException e) {
        throw StoreException.of(statement, e);
      }
    }
  }
}
