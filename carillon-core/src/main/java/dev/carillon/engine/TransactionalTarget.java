package dev.carillon.engine;

import dev.carillon.plan.Verdict;
import dev.carillon.store.jdbc.HandlerTransaction;
import dev.carillon.store.jdbc.StoreException;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.run.AttemptEnd;
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
  private final EngineContext engine;

  TransactionalTarget(TransactionalHandler handler, EngineContext engine) {
    this.handler = handler;
    this.engine = engine;
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
      engine.database().inOneTransaction(tx -> workAndSettle(tx, context, attempt));
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
    attempt.markSettled();
    done.accept(Outcome.succeeded());
  }

  private boolean workAndSettle(Transaction tx, RunContext context, RunAttempt attempt) {
    var handled = new HandlerTransaction(tx);
    work(context, attempt, handled);
    handled.confirm();
    succeed(tx, attempt);
    return true;
  }

  private void work(RunContext context, RunAttempt attempt, HandlerTransaction handled) {
    attempt.onStop(reason -> cancel(handled));
    try {
      handle(context, handled.connection());
    } finally {
      attempt.leave(); // an interrupt would break the connection off before the transaction ends
      handled.end(() -> attempt.stop().isPresent());
    }
  }

  /* On a thread of its own: PostgreSQL is asked over a new connection, which may take long, and
   * the loop that stops attempts has others to stop as well. */
  private static void cancel(HandlerTransaction handled) {
    var thread = new Thread(() -> cancelUntilOver(handled), "carillon-cancel");
    thread.setDaemon(true);
    thread.start();
  }

  private static void cancelUntilOver(HandlerTransaction handled) {
    try {
      for (int tries = 0; tries < CANCELLATIONS && !handled.cancel(); tries++) {
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

  private void succeed(Transaction tx, RunAttempt attempt) {
    Instant now = engine.now();
    if (attempt.stop().isPresent()) {
      throw new IllegalStateException("asked to stop: " + attempt.stop().get());
    }
    tx.planEachCall(engine.settings().lease());
    var verdict = Verdict.of(attempt.claimed(), Outcome.succeeded(), now);
    var settled =
        new AttemptEnd(
            attempt.claimed(), verdict, attempt.startedAt(), now, attempt.progress().last());
    if (engine.stores().settles().settle(tx, attempt.owner(), List.of(settled), now).isEmpty()) {
      throw new IllegalStateException(
          "another node has this run by now; what the handler wrote is rolled back");
    }
  }
}
