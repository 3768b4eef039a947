package dev.carillon.store.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Runs statements with named parameters: a {@link Database}, on which each commits on its own, or a
 * {@link Transaction}. Failures are reported under the name of their statement.
 */
public sealed interface Statements permits Database, Transaction {
  /** Run a statement without parameters and return its rows. */
  default <T> List<T> query(String name, String sql, Function<Row, T> toValue) {
    return query(name, sql, bind -> {}, toValue);
  }

  /** Run a statement and return its rows. */
  default <T> List<T> query(
      String name, String sql, Consumer<Bind> binder, Function<Row, T> toValue) {
    return run(
        BoundStatement.of(name, sql, binder),
        statement -> {
          var values = new ArrayList<T>();
          forEachRow(name, statement, row -> values.add(toValue.apply(row)));
          return values;
        });
  }

  /** Give the rows of the current result of {@code statement} to {@code reader}. */
  static void forEachRow(String name, PreparedStatement statement, Consumer<Row> reader)
      throws SQLException {
    try (ResultSet rows = statement.getResultSet()) {
      var row = new Row(name, rows);
      while (rows.next()) {
        reader.accept(row);
      }
    }
  }

  /** Run a statement without parameters and return its first row, which there always is. */
  default <T> T one(String name, String sql, Function<Row, T> toValue) {
    return one(name, sql, bind -> {}, toValue);
  }

  /** Run a statement and return its first row, which there always is. */
  default <T> T one(String name, String sql, Consumer<Bind> binder, Function<Row, T> toValue) {
    return query(name, sql, binder, toValue).get(0);
  }

  /** Run a statement and return its first row, if it has any. */
  default <T> Optional<T> first(
      String name, String sql, Consumer<Bind> binder, Function<Row, T> toValue) {
    return query(name, sql, binder, toValue).stream().findFirst();
  }

  /** Run a statement and return a value of each row by its key, in the order of the rows. */
  default <K, V> Map<K, V> map(
      String name,
      String sql,
      Consumer<Bind> binder,
      Function<Row, K> toKey,
      Function<Row, V> toValue) {
    var values = new LinkedHashMap<K, V>();
    query(name, sql, binder, row -> values.put(toKey.apply(row), toValue.apply(row)));
    return values;
  }

  /** Run a statement and return how many rows it changed. */
  default int update(String name, String sql, Consumer<Bind> binder) {
    return run(BoundStatement.of(name, sql, binder), PreparedStatement::getUpdateCount);
  }

  /** Run several statements as they stand: nothing in them is a parameter. */
  default void script(String name, String sql) {
    use(
        name,
        connection -> {
          try (Statement statement = connection.createStatement()) {
            return statement.execute(sql);
          }
        });
  }

  /** Run {@code statement} and let {@code reader} read its result. */
  <T> T run(BoundStatement statement, Connections.Work<PreparedStatement, T> reader);

  /** Do {@code work} on a connection, and report its failures under {@code name}. */
  <T> T use(String name, Connections.Work<Connection, T> work);
}
