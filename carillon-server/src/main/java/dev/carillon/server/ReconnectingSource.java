package dev.carillon.server;

import dev.carillon.store.jdbc.Backoff;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Connects to a database, again and again while it is away.
 *
 * <p>A pool that is told of each failure waits longer and longer, HikariCP up to 5 s, which is most
 * of a short lease; and all nodes that lost their database together come back together.
 */
final class ReconnectingSource implements DataSource {
  private static final Duration MAX_WAIT = Duration.ofMillis(500);

  private final DatabaseUrl url;
  private final Properties account;
  private final Backoff backoff = new Backoff(MAX_WAIT, new Random().nextLong());
  private volatile @Nullable SQLException lastFailure;
  private volatile int loginTimeout;

  ReconnectingSource(DatabaseUrl url, Properties account) {
    this.url = url;
    this.account = account;
  }

  /** Return a connection, however long that takes; an interrupt ends it. */
  @Override
  public Connection getConnection() throws SQLException {
    for (int failures = 1; ; failures++) {
      try {
        Connection connection = DriverManager.getConnection(url.jdbc(), account);
        lastFailure = null;
        return connection;
      } catch (SQLException e) {
        lastFailure = e;
        if (!isPassing(e) || !rested(backoff.after(failures))) {
          throw e;
        }
      }
    }
  }

  private static boolean rested(Duration wait) {
    try {
      TimeUnit.NANOSECONDS.sleep(wait.toNanos());
      return true;
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /* A database that starts, or has no connection left, may answer in a moment; a wrong password or
   * a missing database stays so. */
  static boolean isPassing(SQLException failure) {
    String state = failure.getSQLState() == null ? "" : failure.getSQLState();
    return state.startsWith("08") || state.startsWith("53") || state.startsWith("57");
  }

  /** Return why the last try failed; null if it did not. */
  @Nullable SQLException lastFailure() {
    return lastFailure;
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    throw new SQLFeatureNotSupportedException("connections have the user of the database URL");
  }

  @Override
  public @Nullable PrintWriter getLogWriter() {
    return null;
  }

  @Override
  public void setLogWriter(@Nullable PrintWriter out) throws SQLException {
    throw new SQLFeatureNotSupportedException("there is no such log");
  }

  /* The driver has its own, among the properties; a pool that closes waits as long for tries. */
  @Override
  public void setLoginTimeout(int seconds) {
    loginTimeout = seconds;
  }

  @Override
  public int getLoginTimeout() {
    return loginTimeout;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException("there is no such log");
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    throw new SQLException("nothing is wrapped here, asked for " + type.getName());
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return false;
  }
}
