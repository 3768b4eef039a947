package dev.carillon.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a database: what a thread does in a transaction shares one, what it does
 * otherwise has one each time, which commits on its own.
 */
final class Connections {
  /* The transaction the calling thread is in, if it is in one. Stores called inside a transaction
   * so join it without being handed a connection. Not static: a thread may use two databases. */
  @SuppressWarnings("ThreadLocalUsage")
  private final ThreadLocal<@Nullable Transaction> current = new ThreadLocal<>();

  private final DataSource source;
  private final Pooler pooler;
  private final Optional<Duration> patience;

  Connections(DataSource source) {
    this(TransactionAwareProxies.unwrap(source), new Pooler(), Optional.empty());
  }

  private Connections(DataSource source, Pooler pooler, Optional<Duration> patience) {
    this.source = source;
    this.pooler = pooler;
    this.patience = patience;
  }

  /** Return the same connections, given up on when a reply takes longer than {@code patience}. */
  Connections waitingAtMost(Duration patience) {
    return new Connections(source, pooler, Optional.of(patience));
  }

  /** Say whether nothing may be left behind on a connection, which others share: see Pooler. */
  boolean arePooledElsewhere(Connection connection) throws SQLException {
    return pooler.isBetween(connection);
  }

  /** Do {@code work} on the transaction's connection, or else on one of its own. */
  <T> T use(String name, Work<Connection, T> work) {
    Transaction open = current.get();
    if (open != null) {
      return named(name, open.connection, work);
    }
    try (Borrowed borrowed = borrow()) {
      return named(name, borrowed.connection(), work);
    }
  }

  /** Do {@code work} in a transaction of the calling thread, which must be in none. */
  <T> T inTransaction(Function<Connection, T> work, Ending ending) {
    if (current.get() != null) {
      throw new IllegalStateException(
          "a transaction is already open; pass its work to the outer one");
    }
    try (Borrowed borrowed = borrow()) {
      Connection connection = borrowed.connection();
      borrowed.begin();
      current.set(new Transaction(connection));
      try {
        T result = work.apply(connection);
        ending.of(borrowed);
        return result;
      } finally {
        current.remove();
      }
    } catch (SQLException e) {
      throw StoreException.of("transaction", e);
    }
  }

  /** Do {@code work} in the transaction that the caller has open on {@code connection}. */
  <T> T within(Connection connection, Supplier<T> work) {
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

  /** Do {@code work} as if the calling thread were in no transaction. */
  <T> T aside(Supplier<T> work) {
    Transaction open = current.get();
    current.remove();
    try {
      return work.get();
    } finally {
      current.set(open);
    }
  }

  /** Remember that the rest of the transaction, if there is one, plans each call anew. */
  void hurry() {
    Transaction open = current.get();
    if (open != null) {
      open.hurried = true;
    }
  }

  boolean isHurried() {
    Transaction open = current.get();
    return open != null && open.hurried;
  }

  private static <T> T named(String name, Connection connection, Work<Connection, T> work) {
    try {
      return work.apply(connection);
    } catch (SQLException e) {
      throw StoreException.of(name, e);
    }
  }

  private Borrowed borrow() {
    try {
      return Borrowed.from(source, pooler, patience);
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

  /** How a transaction whose work is done ends. */
  interface Ending {
    void of(Borrowed borrowed) throws SQLException;
  }

  /** Work that may fail as JDBC fails. */
  interface Work<A, B> {
    B apply(A argument) throws SQLException;
  }
}
