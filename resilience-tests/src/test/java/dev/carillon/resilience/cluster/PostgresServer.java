package dev.carillon.resilience.cluster;

import dev.carillon.fixture.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A server of Debian's PostgreSQL 15, which stops, crashes, and comes back on the same port. */
public final class PostgresServer implements AutoCloseable {
  private static final Path BINARIES = Path.of("/usr/lib/postgresql/15/bin");
  private static final String DATABASE = "carillon";
  static final String USER = "carillon";

  private final Path data;
  private final int port;
  private final List<String> settings;
  private final List<String> environment;
  private final Thread atExit = new Thread(() -> stop(Stop.IMMEDIATE), "stop-postgres");
  private boolean running;

  /** How the server stops. */
  public enum Stop {
    /** It cuts off its clients and shuts down. */
    FAST,
    /** It ends without shutting down, and recovers from its log when it starts again. */
    IMMEDIATE
  }

  private PostgresServer(Path data, List<String> settings, List<String> environment) {
    this.data = data;
    this.port = Commands.freePort();
    this.settings = List.copyOf(settings);
    this.environment = List.copyOf(environment);
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  /** Say whether the programs are on this machine. */
  public static boolean isInstalled() {
    return Files.isExecutable(BINARIES.resolve("postgres"));
  }

  /** Create a server in {@code folder}, with the database of the nodes, and start it. */
  public static PostgresServer create(Path folder, List<String> settings) {
    return create(folder, settings, List.of());
  }

  /**
   * Create a server as {@link #create(Path, List)} does.
   *
   * @param environment variables of its processes, each as {@code NAME=value}
   */
  public static PostgresServer create(
      Path folder, List<String> settings, List<String> environment) {
    Path data = folder.resolve("primary");
    Commands.runAsPostgres(
        List.of(
            BINARIES.resolve("initdb").toString(),
            "--pgdata=" + data,
            "--username=postgres",
            "--auth=trust",
            "--no-sync",
            "--encoding=UTF8"));
    var server = new PostgresServer(data, settings, environment);
    server.start();
    server.execute("create role %s login".formatted(USER));
    server.execute("create database %s owner %s".formatted(DATABASE, USER));
    return server;
  }

  /** Copy this server to a standby in {@code folder} that follows it, and start that. */
  public PostgresServer standby(Path folder, String name) {
    Path copy = folder.resolve(name);
    Commands.runAsPostgres(
        List.of(
            BINARIES.resolve("pg_basebackup").toString(),
            "--pgdata=" + copy,
            "--host=127.0.0.1",
            "--port=" + port,
            "--username=postgres",
            "--write-recovery-conf",
            "--checkpoint=fast",
            "--no-sync"));
    var recovery =
        List.of(
            "primary_conninfo=host=127.0.0.1 port=%s user=postgres application_name=%s"
                .formatted(port, name));
    var all = new ArrayList<>(settings);
    all.addAll(recovery);
    var standby = new PostgresServer(copy, all, environment);
    standby.start();
    return standby;
  }

  /** Make a standby the primary. */
  public void promote() {
    Commands.runAsPostgres(List.of(control(), "promote", "--wait", "--pgdata=" + data));
  }

  /** Start, and wait until it accepts connections. */
  public void start() {
    var options = new StringBuilder("-p %s -k /tmp -c listen_addresses=127.0.0.1".formatted(port));
    for (String setting : settings) {
      options.append(" -c '").append(setting).append('\'');
    }
    var command = new ArrayList<String>();
    command.add("env");
    command.addAll(environment);
    command.addAll(
        List.of(
            control(),
            "start",
            "--wait",
            "--pgdata=" + data,
            "--log=" + data.resolve("server.log"),
            "--options=" + options));
    Commands.runAsPostgres(command);
    running = true;
  }

  /** Stop, and wait until it is gone. */
  public void stop(Stop way) {
    if (!running) {
      return;
    }
    Commands.runAsPostgres(
        List.of(
            control(),
            "stop",
            "--wait",
            "--pgdata=" + data,
            "--mode=" + (way == Stop.FAST ? "fast" : "immediate")));
    running = false;
  }

  private static String control() {
    return BINARIES.resolve("pg_ctl").toString();
  }

  public int port() {
    return port;
  }

  /** Return what the server has logged. */
  public String log() {
    try {
      return Files.readString(data.resolve("server.log"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Return the URL by which nodes reach the database through {@code port}. */
  static String url(int port) {
    return "jdbc:postgresql://127.0.0.1:%s/%s?sslmode=disable&gssEncMode=disable"
        .formatted(port, DATABASE);
  }

  /** Connect as the superuser, past every proxy. */
  public Connection connect() throws SQLException {
    return DriverManager.getConnection(url(port), "postgres", "");
  }

  /** Connect as nodes do, past every proxy. */
  public Connection connectAsNode() throws SQLException {
    return DriverManager.getConnection(url(port), USER, "");
  }

  /** Run a statement as the superuser. */
  public void execute(String sql) {
    try (var connection =
            DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:%s/%s?sslmode=disable"
                    .formatted(port, sql.startsWith("create ") ? "postgres" : DATABASE),
                "postgres",
                "");
        var statement = connection.createStatement()) {
      /* So that the harness can end a fault that makes every transaction read-only. */
      statement.execute("set default_transaction_read_only = off");
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  /** Start if it is not running, such as after a full disk. */
  public void startIfDown() {
    Await.within(Duration.ofSeconds(3), this::answers);
    if (!answers()) {
      try {
        stop(Stop.IMMEDIATE);
      } catch (IllegalStateException gone) {
        running = false;
      }
      start();
    }
  }

  private boolean answers() {
    try (var connection = connect()) {
      return connection.isValid(5);
    } catch (SQLException e) {
      return false;
    }
  }

  /** Let every transaction be read-only, or not. */
  public void readOnly(boolean readOnly) {
    execute("alter system set default_transaction_read_only = " + (readOnly ? "on" : "off"));
    execute("select pg_reload_conf()");
  }

  /** Throw out all connections of nodes. */
  public void terminateConnections() {
    execute(
        "select pg_terminate_backend(pid) from pg_stat_activity where usename = '%s'"
            .formatted(USER));
  }

  /** Return the rows of a query, each as the texts of its columns. */
  public List<List<String>> rows(String sql) {
    try (var connection = connect();
        var statement = connection.createStatement();
        var found = statement.executeQuery(sql)) {
      int columns = found.getMetaData().getColumnCount();
      var rows = new ArrayList<List<String>>();
      while (found.next()) {
        var row = new ArrayList<String>();
        for (int column = 1; column <= columns; column++) {
          row.add(String.valueOf(found.getString(column)));
        }
        rows.add(row);
      }
      return rows;
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  /** Return the number that a query yields. */
  public long number(String sql) {
    return Long.parseLong(rows(sql).get(0).get(0));
  }

  @Override
  public void close() {
    stop(Stop.IMMEDIATE);
    Runtime.getRuntime().removeShutdownHook(atExit);
  }
}
