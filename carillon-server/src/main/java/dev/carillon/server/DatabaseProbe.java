package dev.carillon.server;

import dev.carillon.server.watch.DatabaseMonitor.Trouble;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether a database answers and can be written, and if not, why not. It has a connection
 * of its own: a pool that is exhausted is no sign of a database that is away.
 */
final class DatabaseProbe implements AutoCloseable {
  private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(1);

  /* A session keeps the defaults that held when it connected; where these were changed since, only a
   * new one shows how those of the pool will be. */
  private static final String STATE =
      """
      select current_setting('transaction_read_only')::boolean,
             (select string_agg(setting, ',' order by setdatabase, setrole, setting)
                from pg_db_role_setting
               cross join unnest(setconfig) as setting
               where setting like 'default_transaction_read_only=%'
                 and setdatabase in (0, (select oid from pg_database where datname = current_database()))
                 and setrole in (0, (select oid from pg_roles where rolname = session_user)))
      """;

  private final DatabaseUrl url;
  private @Nullable Connection connection;
  private @Nullable State connectedIn;

  /** Whether a session can write, and what the database says about new ones. */
  private record State(boolean readOnly, @Nullable String defaults) {}

  DatabaseProbe(DatabaseUrl url) {
    this.url = url;
  }

  /** Return what is wrong with the database; empty if it answers and can be written. */
  synchronized Optional<Trouble> trouble() {
    try {
      Connection kept = connection;
      if (kept != null) {
        long asked = System.nanoTime();
        Optional<State> state = state(kept);
        if (state.isPresent() && !isOutdated(state.get())) {
          return Optional.empty();
        }
        close();
        if (System.nanoTime() - asked >= PROBE_TIMEOUT.toNanos()) {
          return Optional.of(
              Trouble.silent("no answer within %s s".formatted(PROBE_TIMEOUT.toSeconds())));
        } // else it was cut, perhaps by a proxy, and another may be had
      }
      return connect();
    } catch (SQLException e) {
      close();
      return Optional.of(Trouble.silent(ConnectionPool.reason(e, PROBE_TIMEOUT)));
    }
  }

  private Optional<Trouble> connect() throws SQLException {
    Connection fresh = DriverManager.getConnection(url.jdbc(), impatient());
    connection = fresh;
    State state = ask(fresh);
    connectedIn = state;
    return state.readOnly ? Optional.of(Trouble.readOnly()) : Optional.empty();
  }

  private boolean isOutdated(State state) {
    State before = connectedIn;
    return state.readOnly || before == null || !Objects.equals(state.defaults, before.defaults);
  }

  private static Optional<State> state(Connection connection) {
    try {
      return Optional.of(ask(connection));
    } catch (SQLException e) {
      return Optional.empty();
    }
  }

  private static State ask(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(STATE)) {
      row.next();
      return new State(row.getBoolean(1), row.getString(2));
    }
  }

  private Properties impatient() {
    Properties properties = ConnectionPool.account(url);
    for (String timeout : new String[] {"connectTimeout", "loginTimeout", "socketTimeout"}) {
      properties.setProperty(timeout, String.valueOf(PROBE_TIMEOUT.toSeconds()));
    }
    return properties;
  }

  @Override
  public synchronized void close() {
    Connection kept = connection;
    connection = null;
    try {
      if (kept != null) {
        kept.close();
      }
    } catch (SQLException gone) {
      // that is what was wanted
    }
  }
}
