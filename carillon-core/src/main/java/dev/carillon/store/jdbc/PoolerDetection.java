package dev.carillon.store.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * Whether a process such as pgbouncer stands between us and PostgreSQL, asked once.
 *
 * <p>Such a process may give each transaction another server connection, so nothing can be left
 * behind on one: no prepared statement, and no channel that is listened to. It signs clients in by
 * itself, with numbers of its own making in place of those of a server process: that shows it. How
 * it pools cannot be seen, so the strictest way is assumed.
 */
final class PoolerDetection {
  private volatile @Nullable Boolean between;

  /** Say whether {@code connection} leads to a pooler; none may be in the middle of something. */
  boolean isBetween(Connection connection) throws SQLException {
    Boolean known = between;
    if (known == null) {
      known = look(connection);
      between = known;
    }
    return known;
  }

  private static boolean look(Connection connection) throws SQLException {
    if (!connection.isWrapperFor(PGConnection.class)) {
      return false;
    }
    int promised = connection.unwrap(PGConnection.class).getBackendPID();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select pg_backend_pid()")) {
      row.next();
      return row.getInt(1) != promised;
    }
  }
}
