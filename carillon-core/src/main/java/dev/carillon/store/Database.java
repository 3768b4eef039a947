package dev.carillon.store;

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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * PostgreSQL as the stores see it: whole named statements with named parameters.
 *
 * <p>Every statement has a name, under which its failures are reported; it commits on its own
 * unless it is called inside {@link #inTransaction}.
 */
public final class Database {
  /* The connection of the transaction the calling thread is in, if it is in one. Stores called
   * inside a transaction so join it without being handed a connection. Not static: a thread may
   * use two databases. */
  @SuppressWarnings("ThreadLocalUsage")
  private final ThreadLocal<@Nullable Connection> current = new ThreadLocal<>();

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

  /** Do {@code work} in one transaction: all of it is kept, or, when it throws, nothing. */
  <T> T inTransaction(Supplier<T> work) {
    if (current.get() != null) {
      throw new IllegalStateException(
          "a transaction is already open; pass its work to the outer one");
    }
    try (Connection connection = connect()) {
      connection.setAutoCommit(false);
      current.set(connection);
      try {
        T result = work.get();
        connection.commit();
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
            int index = 0;
            for (String parameter : plain.names()) {
              statement.setObject(++index, bind.value(parameter));
            }
            return work.apply(statement);
          }
        });
  }

  private <T> T connected(String name, Work<Connection, T> work) {
    Connection open = current.get();
    if (open != null) {
      return named(name, open, work);
    }
    try (Connection connection = connect()) {
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

  /** Work that may fail as JDBC fails. */
  private interface Work<A, B> {
    B apply(A argument) throws SQLException;
  }

  /** The values of a statement's parameters, by name. */
  static final class Bind {
    private final String statement;
    private final Set<String> names;
    private final Map<String, @Nullable Object> values = new HashMap<>();

    private Bind(String statement, Set<String> names) {
      this.statement = statement;
      this.names = names;
    }

    /** Give {@code name} a value; a nullable column takes null. */
    Bind set(String name, @Nullable Object value) {
      if (!names.contains(name)) {
        throw new IllegalArgumentException("%s has no parameter :%s".formatted(statement, name));
      }
      values.put(name, value instanceof Instant at ? at.atOffset(ZoneOffset.UTC) : value);
      return this;
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
      return value(column, String.class);
    }

    int integer(String column) {
      return value(column, Integer.class);
    }

    boolean flag(String column) {
      return value(column, Boolean.class);
    }

    Instant instant(String column) {
      return value(column, OffsetDateTime.class).toInstant();
    }

    private <T> T value(String column, Class<T> type) {
      try {
        T value = rows.getObject(column, type);
        if (value == null) {
          throw new IllegalStateException("%s: %s is null".formatted(statement, column));
        }
        return value;
      } catch (SQLException e) {
        throw StoreException.of(statement, e);
      }
    }
  }
}
