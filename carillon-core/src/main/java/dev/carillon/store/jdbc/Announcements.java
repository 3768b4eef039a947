package dev.carillon.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * Listens to PostgreSQL's channel {@code carillon} on a connection of its own. Not behind a pooler
 * such as pgbouncer, which would give the notifications to its next client; only speed is lost.
 */
public final class Announcements implements AutoCloseable {
  private static final Duration UNLISTEN_TIMEOUT = Duration.ofSeconds(2);

  private final DataSource source;
  private final PoolerDetection pooler = new PoolerDetection();
  private @Nullable BorrowedConnection borrowedConnection;
  private boolean closed;

  public Announcements(DataSource source) {
    this.source = TransactionAwareProxies.unwrap(source);
  }

  /** Connect if necessary; false if listening is not possible on this connection. */
  public synchronized boolean listening() {
    if (borrowedConnection != null) {
      return true;
    }
    if (closed) {
      return false;
    }
    try {
      BorrowedConnection fresh = BorrowedConnection.from(source, pooler, Optional.empty());
      borrowedConnection = listen(fresh) ? fresh : null;
    } catch (SQLException e) {
      throw StoreException.of("listen", e);
    }
    return borrowedConnection != null;
  }

  private boolean listen(BorrowedConnection fresh) throws SQLException {
    boolean listening = false;
    try {
      Connection connection = fresh.connection();
      if (connection.isWrapperFor(PGConnection.class) && !pooler.isBetween(connection)) {
        execute(connection, "listen carillon");
        listening = true;
      }
      return listening;
    } finally {
      if (!listening) {
        fresh.close();
      }
    }
  }

  /** Wait up to {@code timeout} and return the announcements. */
  public Set<Announcement> await(Duration timeout) {
    BorrowedConnection listening;
    synchronized (this) {
      listening = borrowedConnection;
    }
    var received = EnumSet.noneOf(Announcement.class);
    if (listening == null) {
      return received;
    }
    try {
      PGNotification[] notifications =
          listening
              .connection()
              .unwrap(PGConnection.class)
              .getNotifications(Math.toIntExact(timeout.toMillis()));
      if (notifications != null) {
        for (PGNotification one : notifications) {
          Announcement.read(one.getParameter()).ifPresent(received::add);
        }
      }
      return received;
    } catch (SQLException e) {
      drop();
      throw StoreException.of("listen", e);
    }
  }

  private synchronized void drop() {
    if (borrowedConnection != null) {
      unlisten(borrowedConnection.connection());
      borrowedConnection.close();
      borrowedConnection = null;
    }
  }

  /* The next user of the connection must not get notifications for us. */
  private static void unlisten(Connection connection) {
    try {
      connection.setNetworkTimeout(Runnable::run, Math.toIntExact(UNLISTEN_TIMEOUT.toMillis()));
      execute(connection, "unlisten carillon");
      connection.unwrap(PGConnection.class).getNotifications();
    } catch (SQLException e) {
      BorrowedConnection.abort(connection);
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    drop();
  }
}
