package dev.carillon.console.browser;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Statements with parameters, of which instants may be some. */
final class Sql {
  private Sql() {}

  static void update(DataSource database, String statement, @Nullable Object... values) {
    try (Connection connection = database.getConnection();
        PreparedStatement prepared = connection.prepareStatement(statement)) {
      bind(prepared, values);
      prepared.execute();
    } catch (SQLException e) {
      throw new IllegalStateException(statement, e);
    }
  }

  static void bind(PreparedStatement statement, @Nullable Object... values) throws SQLException {
    for (int i = 0; i < values.length; i++) {
      statement.setObject(
          i + 1, values[i] instanceof Instant instant ? Timestamp.from(instant) : values[i]);
    }
  }
}
