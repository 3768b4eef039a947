package dev.carillon.simulation;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import javax.sql.DataSource;

/** The open connections to the database of the simulation, used by one node after the other. */
final class Connections implements AutoCloseable {
  /* All nodes share one thread: whoever holds the lock that one waits for cannot go on, so waiting
   * is in vain. */
  private static final String NEVER_WAIT = "set lock_timeout = '1ms'";

  private final DataSource source;
  private final Deque<Connection> idle = new ArrayDeque<>();
  private final List<Connection> all = new ArrayList<>();

  Connections(DataSource source) {
    this.source = source;
  }

  Connection take() throws SQLException {
    Connection connection = idle.poll();
    if (connection == null) {
      connection = source.getConnection();
      all.add(connection);
      try (var statement = connection.createStatement()) {
        statement.execute(NEVER_WAIT);
      }
    }
    return connection;
  }

  void giveBack(Connection connection) throws SQLException {
    if (!connection.getAutoCommit()) {
      connection.rollback();
      connection.setAutoCommit(true);
    }
    idle.push(connection);
  }

  @Override
  public void close() throws SQLException {
    for (Connection connection : all) {
      connection.close();
    }
  }
}
