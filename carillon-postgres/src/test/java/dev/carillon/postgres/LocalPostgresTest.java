package dev.carillon.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalPostgresTest {
  @TempDir Path folder;

  @Test
  void a_second_start_finds_the_data_of_the_first() throws Exception {
    try (var postgres = LocalPostgres.start(folder.resolve("data"), "a test", step -> {});
        var connection = connect(postgres);
        var statement = connection.createStatement()) {
      statement.execute("create table bell as select 'dong' as sound");
    }
    try (var postgres = LocalPostgres.start(folder.resolve("data"), "a test", step -> {});
        var connection = connect(postgres);
        var statement = connection.createStatement();
        var rows = statement.executeQuery("select sound from bell")) {
      assertThat(rows.next()).isTrue();
    }
  }

  private static Connection connect(LocalPostgres postgres) throws Exception {
    return DriverManager.getConnection(postgres.jdbcUrl(), postgres.user(), postgres.password());
  }
}
