package dev.carillon.cluster;

import dev.carillon.cluster.NodeProcess.Address;
import dev.carillon.postgres.LocalPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A PostgreSQL that is stopped and crashes under its clients, and comes back on the same port. */
final class RestartablePostgres implements AutoCloseable {
  private final Path data;
  private final List<String> settings;
  private LocalPostgres postgres;

  /** How the server goes away. */
  enum Way {
    /** It shuts down, cutting off its clients. */
    FAST,
    /** It stops without shutting down, and recovers from its log. */
    IMMEDIATE,
    /** One of its processes dies, so that it throws all clients out and recovers by itself. */
    CRASH
  }

  private RestartablePostgres(Path data, int port) {
    this.data = data;
    /* Nothing is lost without fsync as long as the machine itself stays up. */
    this.settings =
        List.of("port=" + port, "fsync=off", "max_connections=200", "shared_buffers=32MB");
    this.postgres = start();
  }

  static RestartablePostgres in(Path data) {
    return new RestartablePostgres(data, freePort());
  }

  private static int freePort() {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private LocalPostgres start() {
    return LocalPostgres.start(data, "a test", settings, step -> {});
  }

  /** Create a database and return where it is. */
  Address create(String name) {
    try (var connection = connect();
        var statement = connection.createStatement()) {
      statement.execute("create database " + name);
      return new Address(postgres.jdbcUrl(name), postgres.user(), postgres.password());
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection(
        postgres.jdbcUrl("postgres"), postgres.user(), postgres.password());
  }

  /** Let the server go away and come back after {@code downtime}. */
  void restart(Way way, Duration downtime) throws Exception {
    switch (way) {
      case FAST -> restartAfter(downtime);
      case IMMEDIATE -> {
        Signals.send("QUIT", postmaster());
        restartAfter(downtime);
      }
      case CRASH -> crash();
    }
  }

  private void restartAfter(Duration downtime) throws InterruptedException {
    postgres.close();
    TimeUnit.MILLISECONDS.sleep(downtime.toMillis());
    postgres = start();
  }

  private void crash() throws SQLException {
    try (var connection = connect();
        var statement = connection.createStatement();
        var rows = statement.executeQuery("select pg_backend_pid()")) {
      rows.next();
      try (Connection witness = connect()) {
        Signals.send("KILL", rows.getLong(1));
        Cluster.await("the server to throw all out", () -> !answers(witness));
      }
    }
    Cluster.await("the server to recover", this::lets);
  }

  private static boolean answers(Connection connection) {
    try (var statement = connection.createStatement()) {
      return statement.execute("select");
    } catch (SQLException e) {
      return false;
    }
  }

  private boolean lets() {
    try (var connection = connect()) {
      return answers(connection);
    } catch (SQLException e) {
      return false;
    }
  }

  private long postmaster() throws IOException {
    return Long.parseLong(
        Files.readAllLines(data.resolve("postgres/postmaster.pid")).get(0).strip());
  }

  @Override
  public void close() {
    postgres.close();
  }
}
