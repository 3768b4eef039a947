package dev.carillon.store.jdbc;

import dev.carillon.event.Event;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.sql.DataSource;

/** PostgreSQL as the stores see it: each statement commits on its own, unless in a transaction. */
public final class Database implements Statements {
  private static final int MAX_TRIES = 5;

  private final Connections connections;
  private final Consumer<Event> listener;
  private final Optional<Duration> plansEachCall;

  /** Use the connections of {@code source}, waiting as long as it takes. */
  public Database(DataSource source) {
    this(new Connections(source), event -> {}, Optional.empty());
  }

  private Database(
      Connections connections, Consumer<Event> listener, Optional<Duration> plansEachCall) {
    this.connections = connections;
    this.listener = listener;
    this.plansEachCall = plansEachCall;
  }

  /** Return the same database, given up on when a reply takes longer than {@code timeout}. */
  public Database waitingAtMost(Duration timeout) {
    return new Database(connections.waitingAtMost(timeout), listener, plansEachCall);
  }

  /** Return the same database, which publishes the events of its transactions to {@code other}. */
  public Database publishingTo(Consumer<Event> other) {
    return new Database(connections, other, plansEachCall);
  }

  /**
   * Return the same database, in which {@link #inTransaction} begins with {@link
   * Transaction#planEachCall}.
   */
  public Database planningEachCall(Duration idleTimeout) {
    return new Database(connections, listener, Optional.of(idleTimeout));
  }

  @Override
  public <T> T run(BoundStatement statement, Connections.Work<PreparedStatement, T> work) {
    return use(statement.name(), open -> connections.run(statement, open, false, work));
  }

  @Override
  public <T> T use(String name, Connections.Work<Connection, T> work) {
    try (BorrowedConnection borrowedConnection = connections.borrow()) {
      return Connections.named(name, borrowedConnection.connection(), work);
    }
  }

  /**
   * Make sure that this is a server Carillon works with, spoken to in a way that works.
   *
   * @throws StoreException if it is not, with the cure
   */
  public void refuseUnfit() {
    use("check the connection", ServerCheck::refuseUnfit);
  }

  /**
   * Say whether a process such as pgbouncer stands between us and PostgreSQL: then statements are
   * not prepared, and nothing is listened to.
   */
  public boolean isBehindPooler() {
    return use("look for a pooler", connections::arePooledElsewhere);
  }

  /**
   * Do {@code work} in one transaction: all of it is kept, and then its events are published, or,
   * when it throws, nothing.
   *
   * <p>Work that PostgreSQL rolled back because of another transaction is done again, in a new one,
   * so it must not leave traces elsewhere.
   */
  public <T> T inTransaction(Function<Transaction, T> work) {
    Function<Transaction, T> planned =
        tx -> {
          plansEachCall.ifPresent(tx::planEachCall);
          return work.apply(tx);
        };
    return repeatedly(() -> once(planned, BorrowedConnection::commit)).publishedTo(listener);
  }

  /** Do {@code work} in one transaction, once, and publish its events when it is kept. */
  public <T> T inOneTransaction(Function<Transaction, T> work) {
    return once(work, BorrowedConnection::commit).publishedTo(listener);
  }

  /** Do {@code work} in a transaction that is rolled back: what it returns is all that is left. */
  public <T> T rehearse(Function<Transaction, T> work) {
    return repeatedly(() -> once(work, BorrowedConnection::rollBack)).result;
  }

  /** Return the transaction that the caller has open on {@code connection}, and ends itself. */
  public Transaction on(Connection connection) {
    return new Transaction(connections, connection);
  }

  private static <T> T repeatedly(Supplier<T> attempt) {
    for (int tries = 1; ; tries++) {
      try {
        return attempt.get();
      } catch (StoreException e) {
        if (!e.isRolledBack() || tries == MAX_TRIES) {
          throw e;
        }
      }
    }
  }

  private <T> Finished<T> once(Function<Transaction, T> work, Ending ending) {
    try (BorrowedConnection borrowedConnection = connections.borrow()) {
      borrowedConnection.begin();
      Transaction tx = on(borrowedConnection.connection());
      T result = work.apply(tx);
      ending.of(borrowedConnection);
      return new Finished<>(result, tx.events());
    } catch (SQLException e) {
      throw StoreException.of("transaction", e);
    }
  }

  /** What a transaction that is over returns, and what it has to publish. */
  private record Finished<T>(T result, List<Event> events) {
    T publishedTo(Consumer<Event> listener) {
      events.forEach(listener);
      return result;
    }
  }

  /** How a transaction whose work is done ends. */
  private interface Ending {
    void of(BorrowedConnection borrowedConnection) throws SQLException;
  }
}
