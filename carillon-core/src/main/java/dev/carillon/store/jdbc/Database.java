package dev.carillon.store.jdbc;

import dev.carillon.event.Event;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.sql.DataSource;

/**
 * The database of the stores: each statement commits on its own, unless in a transaction.
 *
 * <p>{@link #within} makes one of it that is part of a transaction: whatever is done there commits
 * with that transaction, or not at all.
 */
public final class Database implements Statements {
  private static final int MAX_TRIES = 5;

  private final Connections connections;
  private final Consumer<Event> listener;
  private final Optional<Duration> plansEachCall;
  private final Optional<Transaction> whole;

  /** Use the connections of {@code source}, without a timeout for replies. */
  public Database(DataSource source) {
    this(new Connections(source), event -> {}, Optional.empty(), Optional.empty());
  }

  private Database(
      Connections connections,
      Consumer<Event> listener,
      Optional<Duration> plansEachCall,
      Optional<Transaction> whole) {
    this.connections = connections;
    this.listener = listener;
    this.plansEachCall = plansEachCall;
    this.whole = whole;
  }

  /** Return the same database with a timeout for each reply of the server. */
  public Database waitingAtMost(Duration timeout) {
    return new Database(connections.waitingAtMost(timeout), listener, plansEachCall, whole);
  }

  /** Return the same database, which publishes the events of its transactions to {@code other}. */
  public Database publishingTo(Consumer<Event> other) {
    return new Database(connections, other, plansEachCall, whole);
  }

  /** Return the same database whose transactions begin with {@link Transaction#planEachCall}. */
  public Database planningEachCall(Duration idleTimeout) {
    return new Database(connections, listener, Optional.of(idleTimeout), whole);
  }

  /** Return the same database, whose statements and transactions are all part of {@code tx}. */
  public Database within(Transaction tx) {
    return new Database(connections, listener, plansEachCall, Optional.of(tx));
  }

  @Override
  public <T> T run(BoundStatement statement, Connections.Work<PreparedStatement, T> work) {
    return whole.isPresent()
        ? whole.get().run(statement, work)
        : use(statement.name(), open -> connections.run(statement, open, false, work));
  }

  @Override
  public <T> T use(String name, Connections.Work<Connection, T> work) {
    if (whole.isPresent()) {
      return whole.get().use(name, work);
    }
    try (BorrowedConnection borrowedConnection = connections.borrow()) {
      return connections.use(
          borrowedConnection, () -> Connections.named(name, borrowedConnection.connection(), work));
    } catch (SQLException e) {
      throw StoreException.of(name, e);
    }
  }

  /** Check the server and the connection settings, and throw with the cure if they do not fit. */
  public void refuseUnfit() {
    use("check the connection", ServerCheck::refuseUnfit);
  }

  /** Tell whether connections go through a pooler: no prepared statements, no notifications. */
  public boolean isBehindPooler() {
    return use("look for a pooler", connections::arePooledElsewhere);
  }

  /**
   * Send the statements that {@code fill} adds as one transaction, planned as those of {@link
   * #inTransaction} are, in one round trip. It may be called again.
   */
  public void inOneTrip(Consumer<Pipeline> fill) {
    repeatedly(
        () -> {
          var pipeline = new Pipeline();
          plansEachCall.ifPresent(
              idle -> pipeline.add(Transaction.planningEachCall(idle), result -> true));
          fill.accept(pipeline);
          return use(
              pipeline.name(),
              open -> {
                connections.send(pipeline, open, plansEachCall.isPresent());
                return true;
              });
        });
  }

  /**
   * Do {@code work} in one transaction and publish its events after the commit. Work that
   * PostgreSQL rolled back because of another transaction is repeated, so it must have no other
   * effects. Within a transaction, that one is published and repeated as a whole.
   */
  public <T> T inTransaction(Function<Transaction, T> work) {
    Function<Transaction, T> planned =
        tx -> {
          plansEachCall.ifPresent(tx::planEachCall);
          return work.apply(tx);
        };
    return whole.isPresent()
        ? planned.apply(whole.get())
        : repeatedly(() -> once(planned, this::commit)).publishedTo(listener);
  }

  /** Do {@code work} in one transaction, without repeating it, and publish its events. */
  public <T> T inOneTransaction(Function<Transaction, T> work) {
    return whole.isPresent()
        ? work.apply(whole.get())
        : once(work, this::commit).publishedTo(listener);
  }

  /**
   * Do {@code work} in a transaction that is rolled back, and return its result. Within a
   * transaction, only that work is undone; it must publish nothing.
   */
  public <T> T rehearse(Function<Transaction, T> work) {
    return whole.isPresent()
        ? rehearsed(whole.get(), work)
        : repeatedly(() -> once(work, Database::rollBack)).result;
  }

  private static <T> T rehearsed(Transaction tx, Function<Transaction, T> work) {
    tx.update("begin a rehearsal", "savepoint rehearsal", bind -> {});
    T result = work.apply(tx);
    tx.update("end a rehearsal", "rollback to savepoint rehearsal", bind -> {});
    return result;
  }

  /** Return the transaction that the caller has opened on {@code connection} and will end. */
  public Transaction on(Connection connection) {
    return new Transaction(connections, connection, false);
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
      var tx = new Transaction(connections, borrowedConnection.connection(), true);
      T result = connections.use(borrowedConnection, () -> work.apply(tx));
      ending.of(borrowedConnection, tx);
      return new Finished<>(result, tx);
    } catch (SQLException e) {
      throw StoreException.of("transaction", e);
    }
  }

  private void commit(BorrowedConnection borrowedConnection, Transaction tx) throws SQLException {
    if (connections.use(borrowedConnection, tx::commitUnsent)) {
      borrowedConnection.committed();
    } else {
      borrowedConnection.commit();
    }
  }

  private static void rollBack(BorrowedConnection borrowedConnection, Transaction tx)
      throws SQLException {
    tx.flush();
    borrowedConnection.rollBack();
  }

  private record Finished<T>(T result, Transaction tx) {
    T publishedTo(Consumer<Event> listener) {
      tx.events().forEach(listener);
      tx.afterwards().forEach(Runnable::run);
      return result;
    }
  }

  private interface Ending {
    void of(BorrowedConnection borrowedConnection, Transaction tx) throws SQLException;
  }
}
