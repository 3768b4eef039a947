package dev.carillon.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.QueryExecutor;

/**
 * The transaction in which a handler works: it can be told to stop, and shows if it was ended by
 * the handler's own SQL.
 */
public final class HandlerTransaction {
  private final Transaction tx;
  private final Optional<QueryExecutor> driver;
  private final GuardedConnection guarded;
  private final String mark = UUID.randomUUID().toString();
  private boolean over;

  /** Mark {@code tx}. */
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

  /** Return what the handler gets. */
  public Connection connection() {
    return guarded.proxy();
  }

  /**
   * Cancel the statement that the handler is executing, and let it begin no other; return whether
   * it has returned. A statement that is just being sent may be missed.
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

  /* By the driver's own means, not those of the connection: the interrupt of a virtual thread closes
   * the connection, and the statement would go on without anybody. */
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
      // PostgreSQL ends the statement when it finds that nobody waits for it.
    }
  }

  /**
   * Take the connection from the handler, which has returned or thrown. A cancellation that is
   * under way is waited for, so that it hits nothing that comes later.
   *
   * @param stopped whether it was told to stop: its thread may have left a statement behind, which
   *     an interrupt does not end
   */
  public synchronized void end(BooleanSupplier stopped) {
    guarded.close();
    if (stopped.getAsBoolean()) {
      cancelStatement();
    }
    over = true;
  }

  /** Make sure that what the handler wrote is still in this transaction. */
  public void confirm() {
    Optional<Boolean> marked =
        tx.first(
            "find the mark of a handler's transaction",
            "select coalesce(current_setting('carillon.handler', true) = :mark, false) as marked",
            bind -> bind.set("mark", mark),
            row -> row.flag("marked"));
    if (!marked.orElse(false)) {
      throw new IllegalStateException(
          "the handler's own SQL ended its transaction: what it wrote before that may be kept without the run having succeeded; leave commit and rollback out of it");
    }
  }
}
