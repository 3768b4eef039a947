package dev.carillon.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.QueryExecutor;

/** The transaction of a handler: it can be canceled, and detects SQL that ended it. */
public final class HandlerTransaction {
  private final Transaction tx;
  private final Optional<QueryExecutor> driver;
  private final GuardedConnection guarded;
  private final String mark = UUID.randomUUID().toString();
  private boolean over;

  public HandlerTransaction(Transaction tx) {
    this.tx = tx;
    this.driver = driver(tx.connection());
    this.guarded = new GuardedConnection(tx.connection());
    tx.query(
        "mark a handler's transaction", // the mark is gone when the transaction is
        "select set_config('carillon.handler', :mark, true)",
        bind -> bind.set("mark", mark),
        row -> true);
  }

  /** Return the connection for the handler. */
  public Connection connection() {
    return guarded.proxy();
  }

  /**
   * Cancel the handler's statement and refuse further ones; return whether the handler has
   * returned. A statement that is just being sent may be missed.
   */
  public boolean cancel() {
    guarded.stop();
    synchronized (this) {
      if (!over) {
        cancelStatement();
      }
      return over;
    }
  }

  /* Not Statement.cancel(): the interrupt of a virtual thread closes the connection, and the statement
   * would go on. */
  private static Optional<QueryExecutor> driver(Connection connection) {
    try {
      return connection.isWrapperFor(BaseConnection.class)
          ? Optional.of(connection.unwrap(BaseConnection.class).getQueryExecutor())
          : Optional.empty();
    } catch (SQLException e) {
      throw StoreException.of("look for the driver", e);
    }
  }

  private void cancelStatement() {
    try {
      if (driver.isPresent()) {
        driver.get().sendQueryCancel();
      }
    } catch (SQLException unreachable) {
      // PostgreSQL ends the statement when it notices that the client is gone.
    }
  }

  /**
   * Close the connection for the handler, which has returned or thrown, after a cancellation that
   * is under way, so that it does not hit a later statement.
   *
   * @param stopped whether it was asked to stop: an interrupted thread may leave a statement behind
   */
  public synchronized void end(BooleanSupplier stopped) {
    guarded.close();
    if (stopped.getAsBoolean()) {
      cancelStatement();
    }
    over = true;
  }

  /** Throw if the handler ended this transaction. */
  public void confirm() {
    boolean marked =
        tx.one(
            "find the mark of a handler's transaction",
            "select coalesce(current_setting('carillon.handler', true) = :mark, false) as marked",
            bind -> bind.set("mark", mark),
            row -> row.flag("marked"));
    if (!marked) {
      throw new IllegalStateException(
          "the handler's own SQL ended its transaction: what it wrote before that may be kept without the run having succeeded; leave commit and rollback out of it");
    }
  }
}
