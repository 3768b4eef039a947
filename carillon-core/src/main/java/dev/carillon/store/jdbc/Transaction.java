package dev.carillon.store.jdbc;

import dev.carillon.event.Event;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * An open transaction, whose events are published after the commit.
 *
 * <p>While a thread works in one, it must run no statement on the {@link Database}: that would take
 * a second connection and not see the changes of this one.
 */
public final class Transaction implements Statements {
  private static final Duration DEFAULT_IDLE_TIMEOUT = Duration.ofSeconds(15);

  private final Connections connections;
  private final Connection connection;
  private final List<Event> events = new ArrayList<>();
  private boolean plansEachCall;

  Transaction(Connections connections, Connection connection) {
    this.connections = connections;
    this.connection = connection;
  }

  public Connection connection() {
    return connection;
  }

  /** Publish {@code event} once this transaction is committed. */
  public void publish(Event event) {
    events.add(event);
  }

  /** Publish {@code some} once this transaction is committed. */
  public void publish(Collection<? extends Event> some) {
    events.addAll(some);
  }

  List<Event> events() {
    return events;
  }

  /**
   * Plan each statement for its values, by indexes only, and let PostgreSQL end the transaction
   * when this process is idle for longer than {@code idleTimeout}.
   *
   * <p>The planner does not know that a batch names few rows of many and would scan the table. A
   * frozen process would keep its locks from the nodes that take over.
   */
  public void planEachCall(Duration idleTimeout) {
    query(
        "plan each call",
        """
        select set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true),
               set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
               set_config('jit', 'off', true), set_config('plan_cache_mode', 'force_custom_plan', true),
               set_config('idle_in_transaction_session_timeout', :timeout, true)
        """,
        bind -> bind.set("timeout", idleTimeout.toMillis() + "ms"),
        row -> true);
    plansEachCall = true;
  }

  /** Let PostgreSQL end the transaction when this process is idle, unless a limit is set. */
  public void limitIdleTime() {
    query(
        "limit idle time",
        """
        select set_config('idle_in_transaction_session_timeout', :timeout, true)
         where current_setting('idle_in_transaction_session_timeout') = '0'
        """,
        bind -> bind.set("timeout", DEFAULT_IDLE_TIMEOUT.toMillis() + "ms"),
        row -> true);
  }

  /**
   * Run a statement and return its first rows, as many as {@code room} takes. The rows are fetched
   * some at a time, so no more of them than the page is ever in memory.
   */
  public <T> List<T> page(
      PageRoom room, String name, String sql, Consumer<Bind> binder, Function<Row, T> toValue) {
    return run(
        BoundStatement.of(name, sql, binder),
        statement -> {
          statement.setFetchSize(room.fetchSize());
          var values = new ArrayList<T>();
          try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
              Row row = Row.measured(name, rows);
              T value = toValue.apply(row);
              if (!room.take(row.jsonBytes())) {
                break;
              }
              values.add(value);
            }
          }
          return values;
        });
  }

  @Override
  public <T> T run(BoundStatement statement, Connections.Work<PreparedStatement, T> work) {
    return use(statement.name(), open -> connections.run(statement, open, plansEachCall, work));
  }

  @Override
  public <T> T use(String name, Connections.Work<Connection, T> work) {
    return Connections.named(name, connection, work);
  }
}
