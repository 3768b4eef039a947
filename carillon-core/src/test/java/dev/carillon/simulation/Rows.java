package dev.carillon.simulation;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads rows with plain JDBC, as somebody would who does not trust the stores. */
final class Rows {
  private Rows() {}

  /** Makes a value of the current row. */
  interface ToValue<T> {
    T read(ResultSet row) throws SQLException;
  }

  static <T> List<T> read(Connection connection, String sql, ToValue<T> toValue) {
    try (var statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      var values = new ArrayList<T>();
      while (rows.next()) {
        values.add(toValue.read(rows));
      }
      return values;
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  static Optional<Instant> at(ResultSet row, String column) throws SQLException {
    return Optional.ofNullable(row.getObject(column, OffsetDateTime.class))
        .map(OffsetDateTime::toInstant);
  }

  static <T> Optional<T> maybe(ResultSet row, String column, Class<T> type) throws SQLException {
    return Optional.ofNullable(row.getObject(column, type));
  }

  static Optional<String> text(ResultSet row, String column) throws SQLException {
    return Optional.ofNullable(row.getString(column));
  }
}
