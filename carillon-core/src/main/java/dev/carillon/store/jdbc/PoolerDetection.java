package dev.carillon.store.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * Finds out once whether a pooler such as pgbouncer is in front of PostgreSQL.
 *
 * <p>A pooler may give each transaction another server connection, so prepared statements and
 * listening do not work. It shows by the process id of the handshake, which is not the server's.
 * How it pools cannot be seen, so transaction pooling is assumed.
 */
final class PoolerDetection {
  private volatile @Nullable Boolean between;

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
    int announced = connection.unwrap(PGConnection.class).getBackendPID();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select pg_backend_pid()")) {
      row.next();
      return row.getInt(1) != announced;
    }
  }
}
