package dev.carillon.store.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.postgresql.PGStatement;

/**
 * A statement whose parameters have values; failures are reported under its name.
 *
 * @param rowsAtOnce how many rows are fetched at a time; 0 for all
 */
record BoundStatement(String name, Sql sql, Bind bind, int rowsAtOnce) {
  /* Bounded by the statements in the source code, one of which exists once for each table. */
  private static final Map<String, Sql> PARSED = new ConcurrentHashMap<>();

  static BoundStatement of(String name, String text, Consumer<Bind> binder) {
    Sql sql = PARSED.computeIfAbsent(text, Sql::parse);
    var bind = new Bind(name, Set.copyOf(sql.names()));
    binder.accept(bind);
    return new BoundStatement(name, sql, bind, 0);
  }

  /** Return the same statement whose rows are fetched {@code rows} at a time. */
  BoundStatement fetching(int rows) {
    return new BoundStatement(name, sql, bind, rows);
  }

  /**
   * Prepare it on {@code connection}, which keeps it prepared if {@code kept}, and run {@code
   * work}.
   */
  <T> T run(Connection connection, boolean kept, Connections.Work<PreparedStatement, T> work)
      throws SQLException {
    try (PreparedStatement statement = prepare(connection, sql.text(), kept)) {
      fill(connection, statement, 0);
      statement.setFetchSize(rowsAtOnce);
      statement.execute();
      return work.apply(statement);
    }
  }

  static PreparedStatement prepare(Connection connection, String text, boolean kept)
      throws SQLException {
    PreparedStatement statement = connection.prepareStatement(text);
    if (!kept && statement.isWrapperFor(PGStatement.class)) {
      statement.unwrap(PGStatement.class).setPrepareThreshold(0);
    }
    return statement;
  }

  /** Fill in the values after the first {@code filled}; return how many there are then. */
  int fill(Connection connection, PreparedStatement statement, int filled) throws SQLException {
    return bind.fill(connection, statement, sql.names(), filled);
  }
}
