package dev.carillon.server;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.EOFException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import javax.sql.DataSource;

/** The connections of this process to a database; a server has one pool. */
public final class ConnectionPool implements AutoCloseable {
  private static final int SIZE = 10;
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  private final HikariDataSource connections;

  private ConnectionPool(HikariDataSource connections) {
    this.connections = connections;
  }

  /**
   * Open a pool, having seen that the database lets us in.
   *
   * @throws StartException if it does not, saying where and why
   */
  public static ConnectionPool open(DatabaseUrl url) {
    return open(url, SIZE);
  }

  /**
   * Open a pool of at most {@code size} connections, having seen that the database lets us in.
   *
   * @throws StartException if it does not, saying where and why
   */
  public static ConnectionPool open(DatabaseUrl url, int size) {
    return open(url, size, config -> config.setMinimumIdle(1));
  }

  /**
   * Open a pool that opens all of its connections soon and keeps them.
   *
   * @throws StartException if the database does not let us in, saying where and why
   */
  static ConnectionPool keep(DatabaseUrl url, int size) {
    return open(url, size, config -> config.setMaxLifetime(0));
  }

  private static ConnectionPool open(DatabaseUrl url, int size, Consumer<HikariConfig> lifetime) {
    Properties account = account(url);
    try (var connection = DriverManager.getConnection(url.jdbc(), account)) {
      connection.isValid(Math.toIntExact(CONNECT_TIMEOUT.toSeconds()));
    } catch (SQLException e) {
      throw new StartException(complaint(url, e), e, ReconnectingSource.isPassing(e));
    }
    var config = new HikariConfig();
    config.setPoolName("carillon");
    var source = new ReconnectingSource(url, account);
    config.setDataSource(source);
    config.setMaximumPoolSize(size);
    lifetime.accept(config);
    config.setConnectionTimeout(CONNECT_TIMEOUT.toMillis());
    config.setInitializationFailTimeout(-1);
    // Hikari asks its first connection for this; if that one breaks, it never makes another.
    config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
    return new ConnectionPool(new ExplainedPool(config, source));
  }

  /* A wait that ended without a connection says why none could be had. */
  private static final class ExplainedPool extends HikariDataSource {
    private final ReconnectingSource source;

    ExplainedPool(HikariConfig config, ReconnectingSource source) {
      super(config);
      this.source = source;
    }

    @Override
    public Connection getConnection() throws SQLException {
      try {
        return super.getConnection();
      } catch (SQLTransientConnectionException e) {
        SQLException why = source.lastFailure();
        throw why == null
            ? e
            : new SQLTransientConnectionException(e.getMessage(), why.getSQLState(), why);
      }
    }
  }

  /** Return the pooled connections. */
  public DataSource connections() {
    return connections;
  }

  /** Register in {@code registry} how many connections are in use, idle and waited for. */
  void measure(PrometheusRegistry registry) {
    gauge(registry, "active", "Connections in use.", HikariPoolMXBean::getActiveConnections);
    gauge(
        registry, "idle", "Connections that are not in use.", HikariPoolMXBean::getIdleConnections);
    gauge(
        registry,
        "waiting",
        "Threads that wait for a connection.",
        HikariPoolMXBean::getThreadsAwaitingConnection);
  }

  private void gauge(
      PrometheusRegistry registry,
      String name,
      String help,
      ToIntFunction<HikariPoolMXBean> number) {
    GaugeWithCallback.builder()
        .name("carillon_pool_" + name)
        .help(help)
        .callback(
            gauge ->
                gauge.call(
                    Optional.ofNullable(connections.getHikariPoolMXBean())
                        .map(number::applyAsInt)
                        .orElse(0)))
        .register(registry);
  }

  /** Close every connection. Safe to call twice. */
  @Override
  public void close() {
    connections.close();
  }

  /* By the driver's names; what the URL itself says outweighs them. */
  static Properties account(DatabaseUrl url) {
    var properties = new Properties();
    properties.setProperty("ApplicationName", "carillon");
    properties.setProperty("connectTimeout", String.valueOf(CONNECT_TIMEOUT.toSeconds()));
    properties.setProperty("loginTimeout", String.valueOf(CONNECT_TIMEOUT.toSeconds()));
    properties.setProperty("tcpKeepAlive", "true");
    properties.setProperty("logServerErrorDetail", "false");
    url.user().ifPresent(user -> properties.setProperty("user", user));
    url.password().ifPresent(password -> properties.setProperty("password", password));
    return properties;
  }

  private static String complaint(DatabaseUrl url, SQLException failure) {
    String state = failure.getSQLState() == null ? "" : failure.getSQLState();
    String user = url.user().map("user '%s'"::formatted).orElse("this user");
    return switch (state) {
      case "28P01" ->
          "the database at %s refused %s: the password is wrong or the user unknown"
              .formatted(url.hosts(), user);
      case "28000" ->
          "the database at %s refused %s: %s"
              .formatted(url.hosts(), user, OneLineMessage.of(failure));
      case "3D000" ->
          "there is no database '%s' at %s; create it, or name another"
              .formatted(url.database(), url.hosts());
      default ->
          "cannot use the database at %s: %s"
              .formatted(url.hosts(), reason(failure, CONNECT_TIMEOUT));
    };
  }

  /* What the driver throws without a cause if signing in takes too long; its message is in the
   * language of the machine. Without a cause it also throws that no host has the right role. */
  private static boolean isGivenUp(SQLException failure) {
    return failure.getCause() == null
        && "08001".equals(failure.getSQLState())
        && !OneLineMessage.of(failure).contains("targetServerType");
  }

  /** Say in a few words why no connection could be had within {@code timeout}. */
  static String reason(SQLException failure, Duration timeout) {
    Throwable cause = failure.getCause();
    if (cause instanceof ConnectException) {
      return "connection refused; is PostgreSQL running there?";
    }
    if (cause instanceof UnknownHostException) {
      return "no such host";
    }
    if (cause instanceof EOFException) {
      return "it closed the connection";
    }
    String said = OneLineMessage.of(failure);
    boolean tooLate = cause instanceof SocketTimeoutException || isGivenUp(failure);
    return tooLate ? "no answer within %s s".formatted(timeout.toSeconds()) : said;
  }
}
