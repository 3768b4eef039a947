package dev.carillon.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * What is announced on PostgreSQL's channel {@code carillon}, heard on a connection of its own.
 *
 * <p>Behind a proxy that pools transactions nothing is heard, and nothing but speed is lost.
 */
public final class Announcements implements AutoCloseable {
  private final DataSource source;
  private @Nullable Connection connection;
  private boolean closed;

  public Announcements(DataSource source) {
    this.source = source;
  }

  /** Connect if need be; false if the driver cannot listen. */
  public synchronized boolean listening() {
    if (connection != null) {
      return true;
    }
    if (closed) {
      return false;
    }
    try {
      Connection fresh = source.getConnection();
      if (!fresh.isWrapperFor(PGConnection.class)) {
        fresh.close();
        return false;
      }
      fresh.setAutoCommit(true);
      try (var statement = fresh.createStatement()) {
        statement.execute("listen carillon");
      }
      connection = fresh;
      return true;
    } catch (SQLException e) {
      throw StoreException.of("listen", e);
    }
  }

  /** Wait up to {@code patience} and return what was announced. */
  public Set<String> await(Duration patience) {
    Connection listening = connection;
    var heard = new LinkedHashSet<String>();
    if (listening == null) {
      return heard;
    }
    try {
      PGNotification[] news =
          listening
              .unwrap(PGConnection.class)
              .getNotifications(Math.toIntExact(patience.toMillis()));
      if (news != null) {
        Arrays.stream(news).map(PGNotification::getParameter).forEach(heard::add);
      }
      return heard;
    } catch (SQLException e) {
      drop();
      throw StoreException.of("listen", e);
    }
  }

  private synchronized void drop() {
    if (connection != null) {
      try {
        connection.close();
      } catch (SQLException alreadyBroken) {
        // The connection is given up either way.
      }
      connection = null;
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    drop();
  }
}
