package dev.carillon.engine;

import dev.carillon.plan.Verdict;
import dev.carillon.store.HandlerTransaction;
import dev.carillon.store.Settled;
import dev.carillon.store.StoreException;
import dev.carillon.store.Transaction;
import dev.carillon.target.Outcome;
import dev.carillon.target.RunContext;
import dev.carillon.target.Target;
import dev.carillon.target.TransactionalHandler;
import java.sql.Connection;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A handler whose writes and the success of its run are one commit. */
final class TransactionalTarget implements Target {
  private static final int CANCELLATIONS = 3;

  private final TransactionalHandler handler;
  private final Parts parts;

  TransactionalTarget(TransactionalHandler handler, Parts parts) {
    this.handler = handler;
    this.parts = parts;
  }

  /* The handler's failure, carried through the transaction so that it is rolled back. */
  private static final class Unsuccessful extends RuntimeException {
    Unsuccessful(Exception cause) {
      super(cause);
    }
  }

  @Override
  public void start(RunContext context, Consumer<Outcome> done) throws Exception {
    RunAttempt attempt = ((AttemptContext) context).of();
    try {
      parts
          .database()
          .inOneTransaction(
              transaction -> {
                var handled = new HandlerTransaction(transaction);
                work(context, attempt, handled);
                handled.confirm();
                succeed(transaction, attempt);
                return true;
              });
    } catch (Unsuccessful e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw e;
    } catch (StoreException e) {
      if (!e.isTransient()) {
        throw e;
      }
      /* Nothing it wrote is there, or all of it is, and then the fence refuses this. */
      done.accept(new Outcome.Interrupted("the success was not written: " + e.getMessage()));
      return;
    }
    attempt.settled();
    done.accept(Outcome.succeeded());
  }

  private void work(RunContext context, RunAttempt attempt, HandlerTransaction transaction) {
    attempt.onStop(reason -> cancel(transaction));
    try {
      handle(context, transaction.connection());
    } finally {
      attempt.leave(); // an interrupt would break the connection off before the transaction ends
      transaction.end(() -> attempt.stop().isPresent());
    }
  }

  /* On a thread of its own: PostgreSQL is asked over a new connection, which may take long, and
   * those who tell attempts to stop have others to tell as well. */
  private static void cancel(HandlerTransaction transaction) {
    var thread = new Thread(() -> cancelUntilOver(transaction), "carillon-cancel");
    thread.setDaemon(true);
    thread.start();
  }

  private static void cancelUntilOver(HandlerTransaction transaction) {
    try {
      for (int tries = 0; tries < CANCELLATIONS && !transaction.cancel(); tries++) {
        TimeUnit.SECONDS.sleep(1);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void handle(RunContext context, Connection connection) {
    try {
      handler.run(context, connection);
    } catch (Exception e) {
      throw new Unsuccessful(e);
    }
  }

  private void succeed(Transaction transaction, RunAttempt attempt) {
    Instant now = parts.time().instant();
    if (attempt.stop().isPresent()) {
      throw new IllegalStateException("told to stop: " + attempt.stop().get());
    }
    transaction.planEachCall(parts.settings().lease());
    var verdict = Verdict.of(attempt.claimed(), Outcome.succeeded(), now);
    var settled =
        new Settled(
            attempt.claimed(), verdict, attempt.startedAt(), now, attempt.progress().last());
    if (parts.settles().settle(transaction, attempt.holder(), List.of(settled), now).isEmpty()) {
      throw new IllegalStateException(
          "another node has this run by now; what the handler wrote is rolled back");
    }
  }
}
