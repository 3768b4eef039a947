package dev.carillon.examples;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.carillon.postgres.LocalPostgres;

/** The connections of a program, kept open from one use to the next. */
final class Pool {
  private Pool() {}

  static HikariDataSource of(LocalPostgres postgres) {
    var settings = new HikariConfig();
    settings.setJdbcUrl(postgres.jdbcUrl());
    settings.setUsername(postgres.user());
    settings.setPassword(postgres.password());
    settings.setMaximumPoolSize(10);
    settings.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
    return new HikariDataSource(settings);
  }
}
