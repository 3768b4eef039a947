package dev.carillon.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.LongSupplier;
import org.postgresql.PGConnection;

/**
 * Connections that refused to write because their session is read-only.
 *
 * <p>A session keeps the default of its database or role that held when it connected: one that
 * connected while that was read-only stays so when the database is writable again, and has to be
 * replaced. Not more than once in a moment, so that a read-only database is not asked for a new
 * connection by each statement.
 */
final class ReadOnlySessions {
  private static final Duration REPLACED_AFTER = Duration.ofSeconds(1);

  private final LongSupplier nanos;

  /* When each was first met; guarded by this. */
  private final Map<PGConnection, Long> met = new WeakHashMap<>();

  ReadOnlySessions(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Record that {@code connection} is read-only; return whether it is to be replaced. */
  synchronized boolean isToBeReplaced(Connection connection) throws SQLException {
    if (!connection.isWrapperFor(PGConnection.class)) {
      return true;
    }
    long now = nanos.getAsLong();
    Long first = met.putIfAbsent(connection.unwrap(PGConnection.class), now);
    return first != null && now - first >= REPLACED_AFTER.toNanos();
  }
}
