package dev.carillon.store.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;

/** The connections of a database, each borrowed for one statement or one transaction. */
final class Connections {
  private final DataSource source;
  private final PoolerDetection pooler;
  private final ReadOnlySessions readOnly;
  private final Optional<Duration> replyTimeout;

  Connections(DataSource source) {
    this(
        TransactionAwareProxies.unwrap(source),
        new PoolerDetection(),
        new ReadOnlySessions(System::nanoTime),
        Optional.empty());
  }

  private Connections(
      DataSource source,
      PoolerDetection pooler,
      ReadOnlySessions readOnly,
      Optional<Duration> replyTimeout) {
    this.source = source;
    this.pooler = pooler;
    this.readOnly = readOnly;
    this.replyTimeout = replyTimeout;
  }

  /** Return the same connections with a timeout for each reply of the server. */
  Connections waitingAtMost(Duration timeout) {
    return new Connections(source, pooler, readOnly, Optional.of(timeout));
  }

  boolean arePooledElsewhere(Connection connection) throws SQLException {
    return pooler.isBetween(connection);
  }

  BorrowedConnection borrow() {
    try {
      return BorrowedConnection.from(source, pooler, replyTimeout);
    } catch (SQLException e) {
      throw StoreException.unreachable(e);
    }
  }

  /** Do {@code work} on {@code borrowed}, which is replaced if its session stays read-only. */
  <T> T use(BorrowedConnection borrowed, Supplier<T> work) throws SQLException {
    try {
      return work.get();
    } catch (StoreException e) {
      if (e.isReadOnly() && readOnly.isToBeReplaced(borrowed.connection())) {
        borrowed.replace();
      }
      throw e;
    }
  }

  /* A plan kept from when the table was empty would read the whole table for each batch, and planning
   * costs well under a millisecond. Behind a pooler, prepared statements are lost with the transaction. */
  <T> T run(
      BoundStatement statement,
      Connection connection,
      boolean plansEachCall,
      Work<PreparedStatement, T> work)
      throws SQLException {
    boolean reusable = plansEachCall || !statement.bind().isBatch();
    return statement.run(connection, reusable && !arePooledElsewhere(connection), work);
  }

  /** Send statements together, as if each were run alone. */
  void send(Pipeline pipeline, Connection connection, boolean plansEachCall) throws SQLException {
    boolean reusable = plansEachCall || !pipeline.isBatch();
    pipeline.send(connection, reusable && !arePooledElsewhere(connection));
  }

  static <T> T named(String name, Connection connection, Work<Connection, T> work) {
    try {
      return work.apply(connection);
    } catch (SQLException e) {
      throw StoreException.of(name, e);
    }
  }

  interface Work<A, B> {
    B apply(A argument) throws SQLException;
  }
}
