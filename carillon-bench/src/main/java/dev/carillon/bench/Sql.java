package dev.carillon.bench;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** Single statements, each in a transaction of its own. */
public record Sql(Source source) {
  /** Where connections come from. */
  @FunctionalInterface
  public interface Source {
    Connection connect() throws SQLException;
  }

  private interface Reading<T> {
    T from(ResultSet rows) throws SQLException;
  }

  public static Sql on(DataSource database) {
    return new Sql(database::getConnection);
  }

  public void run(String sql, Object... values) {
    try (Connection connection = source.connect();
        PreparedStatement statement = prepare(connection, sql, values)) {
      statement.execute();
    } catch (SQLException e) {
      throw failed(sql, e);
    }
  }

  /** Return the number in the first column of the first row; zero if there is none. */
  public double number(String sql, Object... values) {
    return read(sql, rows -> rows.next() ? rows.getDouble(1) : 0, values);
  }

  /** Return the text in the first column of the first row. */
  public String text(String sql) {
    return texts(sql).get(0);
  }

  /** Return the texts in the first column. */
  public List<String> texts(String sql) {
    return read(
        sql,
        rows -> {
          var texts = new ArrayList<String>();
          while (rows.next()) {
            texts.add(String.valueOf(rows.getString(1)));
          }
          return texts;
        });
  }

  private <T> T read(String sql, Reading<T> reading, Object... values) {
    try (Connection connection = source.connect();
        PreparedStatement statement = prepare(connection, sql, values);
        ResultSet rows = statement.executeQuery()) {
      return reading.from(rows);
    } catch (SQLException e) {
      throw failed(sql, e);
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

  /** Return what to throw if {@code sql} failed. */
  public static BenchException failed(String sql, SQLException e) {
    String reason = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    return new BenchException(
        "the server did not do '%s': %s"
            .formatted(sql.strip().lines().findFirst().orElse(""), reason),
        e);
  }
}
