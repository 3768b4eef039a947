package dev.carillon.cli.rooms.broken.server;

import java.sql.Connection;
import java.sql.SQLException;

/** SQL outside of the store. */
public final class AsksDirectly {
  private AsksDirectly() {}

  /** Answer. */
  public static void answer() {}

  static boolean ask(Connection connection) throws SQLException {
    return connection.isValid(1);
  }
}
