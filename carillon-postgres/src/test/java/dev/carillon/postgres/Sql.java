package dev.carillon.postgres;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** Runs single statements on a server, each on a connection of its own. */
record Sql(LocalPostgres postgres, String url) {
  static Sql on(LocalPostgres postgres) {
    return on(postgres, postgres.jdbcUrl());
  }

  static Sql on(LocalPostgres postgres, String url) {
    return new Sql(postgres, url);
  }

  static Connection connect(LocalPostgres postgres) throws SQLException {
    return on(postgres).connect();
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection(url, postgres.user(), postgres.password());
  }

  void run(String statement) {
    try (var connection = connect();
        var plain = connection.createStatement()) {
      plain.execute(statement);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  String ask(String query) {
    try (var connection = connect();
        var plain = connection.createStatement();
        var rows = plain.executeQuery(query)) {
      rows.next();
      return rows.getString(1);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }
}
