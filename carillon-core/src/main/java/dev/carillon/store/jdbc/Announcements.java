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
 * What is announced on PostgreSQL's channel {@code carillon}, heard on a connection of its own.
 *
 * <p>Behind a pooler such as pgbouncer nothing is listened to: whoever is given the server
 * connection next would hear it. Nothing but speed is lost.
 */
public final class Announcements implements AutoCloseable {
  /** How long a database that hangs may hold up the end of listening. */
  private static final Duration PARTING = Duration.ofSeconds(2);

  private final DataSource source;
  private final PoolerDetection pooler = new PoolerDetection();
  private @Nullable BorrowedConnection borrowedConnection;
  private boolean closed;

  public Announcements(DataSource source) {
    this.source = TransactionAwareProxies.unwrap(source);
  }

  /** Connect if need be; false if one cannot listen on this connection. */
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

  /** Wait up to {@code patience} and return what was announced. */
  public Set<Announcement> await(Duration patience) {
    BorrowedConnection listening;
    synchronized (this) {
      listening = borrowedConnection;
    }
    var heard = EnumSet.noneOf(Announcement.class);
    if (listening == null) {
      return heard;
    }
    try {
      PGNotification[] news =
          listening
              .connection()
              .unwrap(PGConnection.class)
              .getNotifications(Math.toIntExact(patience.toMillis()));
      if (news != null) {
        for (PGNotification one : news) {
          Announcement.read(one.getParameter()).ifPresent(heard::add);
        }
      }
      return heard;
    } catch (SQLException e) {
      drop();
      throw StoreException.of("listen", e);
    }
  }

  private synchronized void drop() {
    if (borrowedConnection != null) {
      fallSilent(borrowedConnection.connection());
      borrowedConnection.close();
      borrowedConnection = null;
    }
  }

  /* Whoever gets the connection next hears nothing that was meant for us. */
  private static void fallSilent(Connection connection) {
    try {
      connection.setNetworkTimeout(Runnable::run, Math.toIntExact(PARTING.toMillis()));
      execute(connection, "unlisten carillon");
      connection.unwrap(PGConnection.class).getNotifications();
    } catch (SQLException e) {
      BorrowedConnection.breakOff(connection);
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
