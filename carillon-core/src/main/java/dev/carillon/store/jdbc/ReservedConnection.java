package dev.carillon.store.jdbc;

import java.io.PrintWriter;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * One connection of a pool, reserved for work that must not wait for the pool; callers take turns.
 * A broken one is replaced at its next use.
 */
public final class ReservedConnection implements DataSource, AutoCloseable {
  private final DataSource source;
  private final ReentrantLock turn = new ReentrantLock(true);

  /* Both guarded by the turn. */
  private @Nullable Connection kept;
  private boolean closed;

  /** Reserve a connection of {@code source} at its first use. */
  public ReservedConnection(DataSource source) {
    this.source = TransactionAwareProxies.unwrap(source);
  }

  @Override
  public Connection getConnection() throws SQLException {
    turn.lock();
    Connection lent = null;
    try {
      Connection connection = kept == null ? source.getConnection() : kept;
      kept = connection;
      lent = lend(connection);
      return lent;
    } finally {
      if (lent == null) {
        turn.unlock();
      }
    }
  }

  private Connection lend(Connection connection) {
    var over = new AtomicBoolean();
    InvocationHandler lending =
        (proxy, method, arguments) -> {
          if (method.getName().equals("close")) {
            if (over.compareAndSet(false, true)) {
              takeBack(connection);
            }
            return null;
          }
          if (method.getName().equals("equals") && arguments != null) {
            return proxy == arguments[0];
          }
          try {
            return method.invoke(connection, arguments);
          } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
          }
        };
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, lending);
  }

  private void takeBack(Connection connection) {
    try {
      if (closed || isBroken(connection)) {
        giveBack();
      }
    } finally {
      turn.unlock();
    }
  }

  private static boolean isBroken(Connection connection) {
    try {
      return connection.isClosed();
    } catch (SQLException e) {
      return true;
    }
  }

  private void giveBack() {
    Connection connection = kept;
    kept = null;
    if (connection != null) {
      try {
        connection.close();
      } catch (SQLException alreadyBroken) {
        // The pool notices by itself.
      }
    }
  }

  /** Return the connection to the pool; a later one is returned after each use. */
  @Override
  public void close() {
    turn.lock();
    try {
      closed = true;
      giveBack();
    } finally {
      turn.unlock();
    }
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    throw new SQLFeatureNotSupportedException("a reserved connection has the user of its pool");
  }

  @Override
  public @Nullable PrintWriter getLogWriter() throws SQLException {
    return source.getLogWriter();
  }

  @Override
  public void setLogWriter(@Nullable PrintWriter out) throws SQLException {
    source.setLogWriter(out);
  }

  @Override
  public void setLoginTimeout(int seconds) throws SQLException {
    source.setLoginTimeout(seconds);
  }

  @Override
  public int getLoginTimeout() throws SQLException {
    return source.getLoginTimeout();
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    return source.getParentLogger();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    throw new SQLException("a reserved connection is not a " + type.getName());
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return false;
  }
}
