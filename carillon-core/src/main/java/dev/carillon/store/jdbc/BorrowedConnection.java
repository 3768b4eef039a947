package dev.carillon.store.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;
import org.postgresql.PGConnection;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/**
 * A connection of a pool, which is restored before it is returned: not every pool resets it, and
 * the application uses it next. One that cannot be restored is aborted.
 */
final class BorrowedConnection implements AutoCloseable {
  private final Connection connection;
  private final boolean autoCommit;
  private final boolean readOnly;
  private final int networkTimeout;
  private final Optional<Integer> prepareThreshold;
  private boolean pooledElsewhere;
  private boolean inTransaction;
  private boolean replaced;

  private BorrowedConnection(Connection connection) throws SQLException {
    this.connection = connection;
    this.autoCommit = connection.getAutoCommit();
    this.readOnly = connection.isReadOnly();
    this.networkTimeout = connection.getNetworkTimeout();
    this.prepareThreshold =
        connection.isWrapperFor(PGConnection.class)
            ? Optional.of(connection.unwrap(PGConnection.class).getPrepareThreshold())
            : Optional.empty();
  }

  /** Borrow a connection in auto-commit mode, unless the caller has a transaction open on it. */
  static BorrowedConnection from(
      DataSource source, PoolerDetection pooler, Optional<Duration> replyTimeout)
      throws SQLException {
    Connection connection = source.getConnection();
    try {
      refuseTransaction(connection);
      var borrowedConnection = new BorrowedConnection(connection);
      try {
        borrowedConnection.prepare(pooler, replyTimeout);
        return borrowedConnection;
      } catch (SQLException | RuntimeException e) {
        borrowedConnection.restore();
        throw e;
      }
    } catch (SQLException | RuntimeException e) {
      returnToPool(connection);
      throw e;
    }
  }

  private void prepare(PoolerDetection pooler, Optional<Duration> replyTimeout)
      throws SQLException {
    if (!autoCommit) {
      connection.setAutoCommit(true);
    }
    if (readOnly) {
      connection.setReadOnly(false);
    }
    if (replyTimeout.isPresent()) {
      connection.setNetworkTimeout(Runnable::run, Math.toIntExact(replyTimeout.get().toMillis()));
    }
    pooledElsewhere = pooler.isBetween(connection);
    if (pooledElsewhere) {
      setPrepareThreshold(0);
    }
  }

  Connection connection() {
    return connection;
  }

  /** Begin a transaction; unless {@link #commit} is called, it is rolled back. */
  void begin() throws SQLException {
    connection.setAutoCommit(false);
    inTransaction = true;
  }

  void commit() throws SQLException {
    if (pooledElsewhere) {
      execute("commit");
    } else {
      connection.commit();
    }
    inTransaction = false;
  }

  /** Record that a statement has committed the transaction. */
  void committed() {
    inTransaction = false;
  }

  void rollBack() throws SQLException {
    if (pooledElsewhere) {
      execute("rollback");
    } else {
      connection.rollback();
    }
    inTransaction = false;
  }

  /* The driver may have prepared its commit and rollback, which are then missing behind a pooler. */
  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Let the pool make another in its place. */
  void replace() {
    replaced = true;
  }

  @Override
  public void close() {
    restore();
    if (replaced) {
      abort(connection);
    }
    returnToPool(connection);
  }

  /* The rollback comes first: a change of the commit mode would commit. */
  private void restore() {
    try {
      if (inTransaction) {
        rollBack();
      }
      if (connection.getAutoCommit() != autoCommit) {
        connection.setAutoCommit(autoCommit);
      }
      if (connection.isReadOnly() != readOnly) {
        connection.setReadOnly(readOnly);
      }
      if (connection.getNetworkTimeout() != networkTimeout) {
        connection.setNetworkTimeout(Runnable::run, networkTimeout);
      }
      if (prepareThreshold.isPresent()) {
        setPrepareThreshold(prepareThreshold.get());
      }
    } catch (SQLException e) {
      abort(connection);
    }
  }

  private void setPrepareThreshold(int times) throws SQLException {
    PGConnection driver = connection.unwrap(PGConnection.class);
    if (driver.getPrepareThreshold() != times) {
      driver.setPrepareThreshold(times);
    }
  }

  /** Close the connection to the server, so that the pool does not hand it out again. */
  static void abort(Connection connection) {
    try {
      connection.abort(Runnable::run);
    } catch (SQLException alreadyBroken) {
      // It is closed already.
    }
  }

  private static void returnToPool(Connection connection) {
    try {
      connection.close();
    } catch (SQLException alreadyBroken) {
      // The pool notices by itself; the work on it is done.
    }
  }

  private static void refuseTransaction(Connection connection) throws SQLException {
    boolean manual = !connection.getAutoCommit();
    if (connection.isWrapperFor(BaseConnection.class)) {
      TransactionState state = connection.unwrap(BaseConnection.class).getTransactionState();
      if (state == TransactionState.IDLE) {
        return;
      }
      if (state == TransactionState.FAILED || !manual || !isUntouched(connection)) {
        throw foreignTransaction();
      }
      connection.rollback();
    } else if (manual) {
      if (!isUntouched(connection)) {
        throw foreignTransaction();
      }
      connection.rollback();
    }
  }

  /* A pool's check of a connection without auto-commit begins a transaction, but touches no table. */
  private static boolean isUntouched(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                """
                select pg_current_xact_id_if_assigned() is null
                       and not exists (select
                                         from pg_locks
                                        where pid = pg_backend_pid()
                                          and locktype = 'relation'
                                          and relation >= 16384)  -- below are PostgreSQL's own
                """)) {
      row.next();
      return row.getBoolean(1);
    }
  }

  private static StoreException foreignTransaction() {
    return new StoreException(
        "connect",
        "the data source handed out a connection on which a transaction is open already, which Carillon must not end; give Carillon the pool itself, not a wrapper that takes part in the transactions of its caller");
  }
}
