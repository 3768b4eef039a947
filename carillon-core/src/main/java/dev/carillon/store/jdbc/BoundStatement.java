package dev.carillon.store.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.postgresql.PGStatement;

/** A statement whose parameters have values; failures are reported under its name. */
record BoundStatement(String name, Sql sql, Bind bind) {
  /* Bounded by the statements in the source code, one of which exists once for each table. */
  private static final Map<String, Sql> PARSED = new ConcurrentHashMap<>();

  static BoundStatement of(String name, String text, Consumer<Bind> binder) {
    Sql sql = PARSED.computeIfAbsent(text, Sql::parse);
    var bind = new Bind(name, Set.copyOf(sql.names()));
    binder.accept(bind);
    return new BoundStatement(name, sql, bind);
  }

  /**
   * Prepare it on {@code connection}, which keeps it prepared if {@code kept}, and run {@code
   * work}.
   */
  <T> T run(Connection connection, boolean kept, Connections.Work<PreparedStatement, T> work)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql.text())) {
      if (!kept && statement.isWrapperFor(PGStatement.class)) {
        statement.unwrap(PGStatement.class).setPrepareThreshold(0);
      }
      bind.fill(connection, statement, sql.names());
      return work.apply(statement);
    }
  }
}
