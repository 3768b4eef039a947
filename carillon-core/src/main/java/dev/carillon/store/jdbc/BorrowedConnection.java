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
 * A connection of a pool, which goes back as it came: pools differ in what they put right, and what
 * they leave the application meets. One that cannot be put right is broken off instead.
 */
final class BorrowedConnection implements AutoCloseable {
  private final Connection connection;
  private final boolean autoCommit;
  private final boolean readOnly;
  private final int networkTimeout;
  private final Optional<Integer> prepareThreshold;
  private boolean pooledElsewhere;
  private boolean inTransaction;

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

  /**
   * Borrow a connection that commits each statement on its own.
   *
   * @throws StoreException if a transaction is open on it, which is not ours to end
   */
  static BorrowedConnection from(
      DataSource source, PoolerDetection pooler, Optional<Duration> patience) throws SQLException {
    Connection connection = source.getConnection();
    try {
      refuseTransaction(connection);
      var borrowedConnection = new BorrowedConnection(connection);
      try {
        borrowedConnection.prepare(pooler, patience);
        return borrowedConnection;
      } catch (SQLException | RuntimeException e) {
        borrowedConnection.restore();
        throw e;
      }
    } catch (SQLException | RuntimeException e) {
      giveBack(connection);
      throw e;
    }
  }

  private void prepare(PoolerDetection pooler, Optional<Duration> patience) throws SQLException {
    if (!autoCommit) {
      connection.setAutoCommit(true);
    }
    if (readOnly) {
      connection.setReadOnly(false);
    }
    if (patience.isPresent()) {
      connection.setNetworkTimeout(Runnable::run, Math.toIntExact(patience.get().toMillis()));
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

  void rollBack() throws SQLException {
    if (pooledElsewhere) {
      execute("rollback");
    } else {
      connection.rollback();
    }
    inTransaction = false;
  }

  /* The driver keeps how to commit and to roll back as prepared statements, on a connection that an
   * application used before us in its own way; behind a pooler they are missing. */
  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Put right what was changed, and give the connection back. */
  @Override
  public void close() {
    restore();
    giveBack(connection);
  }

  /* Before the commit mode, which commits what is open when it changes. */
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
      breakOff(connection);
    }
  }

  private void setPrepareThreshold(int times) throws SQLException {
    PGConnection driver = connection.unwrap(PGConnection.class);
    if (driver.getPrepareThreshold() != times) {
      driver.setPrepareThreshold(times);
    }
  }

  /** Close the connection to the server, so that nobody gets it as it is. */
  static void breakOff(Connection connection) {
    try {
      connection.abort(Runnable::run);
    } catch (SQLException alreadyBroken) {
      // There is nothing left to be got.
    }
  }

  /* What was done is done, whether or not the pool takes its connection back. */
  private static void giveBack(Connection connection) {
    try {
      connection.close();
    } catch (SQLException alreadyBroken) {
      // The pool finds out by itself.
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

  /* A pool that looks whether a connection is alive begins a transaction by that, if it was told to
   * hand out connections that do not commit on their own. It touches no table. */
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
