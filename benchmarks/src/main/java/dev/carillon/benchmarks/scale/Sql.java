package dev.carillon.benchmarks.scale;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Single statements, each in a transaction of its own. */
record Sql(Source source) {
  /** Where connections come from. */
  @FunctionalInterface
  interface Source {
    Connection connect() throws SQLException;
  }

  static Sql on(DataSource database) {
    return new Sql(database::getConnection);
  }

  void run(String sql, Object... values) {
    try (Connection connection = source.connect();
        PreparedStatement statement = prepare(connection, sql, values)) {
      statement.execute();
    } catch (SQLException e) {
      throw new IllegalStateException("this failed: " + sql, e);
    }
  }

  /** Return the number in the first column of the first row. */
  double number(String sql, Object... values) {
    try (Connection connection = source.connect();
        PreparedStatement statement = prepare(connection, sql, values);
        ResultSet rows = statement.executeQuery()) {
      rows.next();
      return rows.getDouble(1);
    } catch (SQLException e) {
      throw new IllegalStateException("this failed: " + sql, e);
    }
  }

  private static PreparedStatement prepare(Connection connection, String sql, Object... values)
      throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
    return statement;
  }
}
