package dev.carillon.cli.bench;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** Single statements, each in a transaction of its own. */
record Sql(DataSource source) {

  void run(String sql) {
    try (Connection connection = source.getConnection();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw failed(sql, e);
    }
  }

  /** Return the number in the first column of the first row. */
  double number(String sql) {
    return Double.parseDouble(text(sql));
  }

  /** Return the text in the first column of the first row. */
  String text(String sql) {
    return texts(sql).get(0);
  }

  /** Return the texts in the first column. */
  List<String> texts(String sql) {
    try (Connection connection = source.getConnection();
        PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet rows = statement.executeQuery()) {
      var texts = new ArrayList<String>();
      while (rows.next()) {
        texts.add(String.valueOf(rows.getString(1)));
      }
      return texts;
    } catch (SQLException e) {
      throw failed(sql, e);
    }
  }

  static BenchException failed(String sql, SQLException e) {
    String reason = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    return new BenchException(
        "the server did not do '%s': %s"
            .formatted(sql.strip().lines().findFirst().orElse(""), reason),
        e);
  }
}
