package dev.carillon.store.jdbc;

import dev.carillon.event.Event;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/**
 * An open transaction, whose events are published after the commit.
 *
 * <p>While a thread works in one, it must run no statement on the {@link Database}: that would take
 * a second connection and not see the changes of this one.
 */
public final class Transaction implements Statements {
  /* No name: they do not fail, and what is sent with them is to be blamed. */
  private static final String SETTINGS = "";
  private static final Duration DEFAULT_IDLE_TIMEOUT = Duration.ofSeconds(15);

  private final Connections connections;
  private final Connection connection;
  private final boolean ours;
  private final List<Event> events = new ArrayList<>();
  private final List<Runnable> afterwards = new ArrayList<>();
  private boolean plansEachCall;

  /* What is sent together with the next statement, or with the commit. */
  private Pipeline unsent = new Pipeline();

  /* Whether there are more than settings in it, which nothing else would need. */
  private boolean unsentWork;

  /** Work on {@code connection}; {@code ours} says whether {@link Database} commits. */
  Transaction(Connections connections, Connection connection, boolean ours) {
    this.connections = connections;
    this.connection = connection;
    this.ours = ours;
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

  /** Do {@code action} once this transaction is committed and its events are published. */
  public void afterCommit(Runnable action) {
    afterwards.add(action);
  }

  List<Runnable> afterwards() {
    return afterwards;
  }

  /**
   * Plan each statement for its values, by indexes only, and let PostgreSQL end the transaction
   * when this process is idle for longer than {@code idleTimeout}.
   *
   * <p>The planner does not know that a batch names few rows of many and would scan the table. A
   * frozen process would keep its locks from the nodes that take over.
   */
  public void planEachCall(Duration idleTimeout) {
    if (!plansEachCall) {
      set(planningEachCall(idleTimeout));
      plansEachCall = true;
    }
  }

  static BoundStatement planningEachCall(Duration idleTimeout) {
    return BoundStatement.of(
        SETTINGS,
        """
        select set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true),
               set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
               set_config('jit', 'off', true), set_config('plan_cache_mode', 'force_custom_plan', true),
               set_config('idle_in_transaction_session_timeout', :timeout, true)
        """,
        bind -> bind.set("timeout", idleTimeout.toMillis() + "ms"));
  }

  /** Let PostgreSQL end the transaction when this process is idle, unless a limit is set. */
  public void limitIdleTime() {
    set(
        BoundStatement.of(
            SETTINGS,
            """
            select set_config('idle_in_transaction_session_timeout', :timeout, true)
             where current_setting('idle_in_transaction_session_timeout') = '0'
            """,
            bind -> bind.set("timeout", DEFAULT_IDLE_TIMEOUT.toMillis() + "ms")));
  }

  private void set(BoundStatement settings) {
    unsent.add(settings, result -> true);
  }

  /**
   * Run a statement whose result nobody waits for: it is sent together with the next one, or with
   * the commit, which saves its round trip.
   */
  public void later(String name, String sql, Consumer<Bind> binder) {
    unsent.add(BoundStatement.of(name, sql, binder), result -> true);
    added();
  }

  /** Do the same as {@link #later}, and give its rows to {@code reader} when they are there. */
  public void later(String name, String sql, Consumer<Bind> binder, Consumer<Row> reader) {
    unsent.query(name, sql, binder, reader);
    added();
  }

  private void added() {
    unsentWork = true;
    if (!ours) {
      flush(); // whoever commits does not know of it
    }
  }

  /**
   * Run a statement and give its rows to {@code reader} one by one; {@code rowsAtOnce} of them are
   * in memory at a time, however many there are.
   */
  public void forEach(
      String name, String sql, Consumer<Bind> binder, int rowsAtOnce, Consumer<Row> reader) {
    flush(); // what is sent together with others has all its rows fetched at once
    run(
        BoundStatement.of(name, sql, binder).fetching(rowsAtOnce),
        statement -> {
          Statements.forEachRow(name, statement, reader);
          return true;
        });
  }

  /** Send what was to be sent later. */
  public void flush() {
    if (!unsent.isEmpty()) {
      send(unsent);
    }
  }

  /** Commit together with what was to be sent later; false if that is nothing. */
  boolean commitUnsent() {
    if (!unsentWork) {
      return false;
    }
    send(unsent.with(BoundStatement.of("commit", "commit", bind -> {}), result -> true));
    return true;
  }

  private void send(Pipeline pipeline) {
    unsent = new Pipeline();
    unsentWork = false;
    Connections.named(
        pipeline.name(),
        connection,
        open -> {
          connections.send(pipeline, open, plansEachCall);
          return true;
        });
  }

  @Override
  public <T> T run(BoundStatement statement, Connections.Work<PreparedStatement, T> reader) {
    if (unsent.isEmpty()) {
      return Connections.named(
          statement.name(),
          connection,
          open -> connections.run(statement, open, plansEachCall, reader));
    }
    var read = new ArrayList<T>(1);
    send(unsent.with(statement, result -> read.add(reader.apply(result))));
    return read.get(0);
  }

  @Override
  public <T> T use(String name, Connections.Work<Connection, T> work) {
    flush();
    return Connections.named(name, connection, work);
  }
}
