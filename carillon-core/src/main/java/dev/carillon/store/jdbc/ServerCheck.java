package dev.carillon.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.PGConnection;
import org.postgresql.jdbc.PreferQueryMode;

/** Refuses a server version or connection settings that do not work, with the cure. */
final class ServerCheck {
  static final int OLDEST = 15;

  private ServerCheck() {}

  static boolean refuseUnfit(Connection connection) throws SQLException {
    if (!connection.isWrapperFor(PGConnection.class)) {
      return false;
    }
    PGConnection driver = connection.unwrap(PGConnection.class);
    if (driver.getPreferQueryMode() == PreferQueryMode.SIMPLE) {
      throw new StoreException(
          "check the connection",
          "preferQueryMode=simple sends values as text without their types, with which Carillon cannot work; leave it out of the URL, also behind pgbouncer, which Carillon notices by itself");
    }
    int version = connection.getMetaData().getDatabaseMajorVersion();
    if (version < OLDEST) {
      throw new StoreException(
          "check the connection",
          "Carillon works with PostgreSQL %s or later; this is %s"
              .formatted(OLDEST, connection.getMetaData().getDatabaseProductVersion()));
    }
    return true;
  }
}
