package dev.carillon.store.jdbc;

import dev.carillon.event.Event;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * A transaction that is open: its statements are kept together or not at all, and its events are
 * published once they are kept.
 *
 * <p>While a thread works in one, it must run no statement on the {@link Database} itself: that
 * would take a second connection, and not see what was written here.
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

  /** Return the connection it is open on. */
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

  /** Return what to publish once this transaction is committed. */
  List<Event> events() {
    return events;
  }

  /**
   * Find rows by their keys from now on, by plans that are made for each call, and let PostgreSQL
   * end the transaction when this process is silent for longer than {@code idleTimeout}.
   *
   * <p>The planner does not know that a batch names a few rows out of many, and would read a table
   * whole: a plan that gets slower with every row, just when there is most to do. And a process
   * that is frozen, or gone without a word, would keep its locks from the nodes that take over.
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

  /** Let PostgreSQL end the transaction when this process is silent, unless it does already. */
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

  @Override
  public <T> T run(BoundStatement statement, Connections.Work<PreparedStatement, T> work) {
    return use(statement.name(), open -> connections.run(statement, open, plansEachCall, work));
  }

  @Override
  public <T> T use(String name, Connections.Work<Connection, T> work) {
    return Connections.named(name, connection, work);
  }
}
