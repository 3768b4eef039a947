package dev.carillon.server;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether a database answers, and if not, why not. It has a connection of its own: a pool
 * that is exhausted is no sign of a database that is away.
 */
final class DatabaseProbe implements AutoCloseable {
  private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(1);

  private final DatabaseUrl url;
  private @Nullable Connection connection;

  DatabaseProbe(DatabaseUrl url) {
    this.url = url;
  }

  /** Return in one line why the database does not answer; empty if it does. */
  synchronized Optional<String> trouble() {
    try {
      Connection kept = connection;
      if (kept != null) {
        long asked = System.nanoTime();
        if (kept.isValid(Math.toIntExact(PROBE_TIMEOUT.toSeconds()))) {
          return Optional.empty();
        }
        close();
        if (System.nanoTime() - asked >= PROBE_TIMEOUT.toNanos()) {
          return Optional.of("no answer within %s s".formatted(PROBE_TIMEOUT.toSeconds()));
        } // else it was cut, perhaps by a proxy, and another may be had
      }
      connection = DriverManager.getConnection(url.jdbc(), impatient());
      return Optional.empty();
    } catch (SQLException e) {
      return Optional.of(ConnectionPool.reason(e, PROBE_TIMEOUT));
    }
  }

  private Properties impatient() {
    Properties properties = ConnectionPool.account(url);
    for (String timeout : new String[] {"connectTimeout", "loginTimeout", "socketTimeout"}) {
      properties.setProperty(timeout, String.valueOf(PROBE_TIMEOUT.toSeconds()));
    }
    return properties;
  }

  @Override
  public synchronized void close() {
    Connection kept = connection;
    connection = null;
    try {
      if (kept != null) {
        kept.close();
      }
    } catch (SQLException gone) {
      // that is what was wanted
    }
  }
}
