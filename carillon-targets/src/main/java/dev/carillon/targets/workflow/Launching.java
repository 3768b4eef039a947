package dev.carillon.targets.workflow;

import dev.carillon.model.Failure;
import dev.carillon.model.Workflow;
import dev.carillon.store.StoreException;
import dev.carillon.store.WorkflowStore;
import dev.carillon.target.Outcome;
import dev.carillon.target.StopReason;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One launch under way: finds the workflow and hands it over, a few times if need be. Since every
 * try has the same idempotency key, an executor that did not manage to answer can be asked again.
 */
final class Launching {
  /** How long to wait before the second and the third try. */
  static final List<Duration> PAUSES = List.of(Duration.ofMillis(200), Duration.ofSeconds(1));

  private final WorkflowStore workflows;
  private final Executor executor;
  private final java.util.concurrent.Executor aside;
  private final Order order;
  private final Consumer<Outcome> done;
  private final AtomicBoolean over = new AtomicBoolean();
  private volatile @Nullable Runnable underWay;

  Launching(
      WorkflowStore workflows,
      Executor executor,
      java.util.concurrent.Executor aside,
      Order order,
      Consumer<Outcome> done) {
    this.workflows = workflows;
    this.executor = executor;
    this.aside = aside;
    this.order = order;
    this.done = done;
  }

  void begin() {
    try {
      aside.execute(this::find);
    } catch (RejectedExecutionException e) {
      finish(new Outcome.Interrupted("this node is stopping"));
    }
  }

  private void find() {
    try {
      Optional<Workflow> found = order.find(workflows);
      if (found.isEmpty()) {
        finish(Outcome.rejected(Failure.of("workflow_unknown", order.unknown())));
      } else {
        hand(new Launch(found.get(), order.input(), order.context()), 0);
      }
    } catch (StoreException e) {
      finish(Outcome.failed(Failure.of("store", String.valueOf(e.getMessage()))));
    }
  }

  private void hand(Launch launch, int triesBefore) {
    if (over.get()) {
      return;
    }
    Consumer<Outcome> told = new Once(outcome -> ended(launch, triesBefore, outcome));
    try {
      Runnable call = executor.run(launch, told);
      underWay = call;
      if (over.get()) {
        call.run(); // stopped before it could be known what to give up
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      told.accept(new Outcome.Interrupted("this node is stopping"));
    } catch (Exception e) {
      told.accept(Outcome.failed(Failure.of("executor_failed", String.valueOf(e))));
    }
  }

  private void ended(Launch launch, int triesBefore, Outcome outcome) {
    if (!isWorthAnotherTry(outcome, triesBefore)) {
      finish(outcome);
      return;
    }
    try {
      CompletableFuture.delayedExecutor(
              PAUSES.get(triesBefore).toMillis(), TimeUnit.MILLISECONDS, aside)
          .execute(() -> hand(launch, triesBefore + 1));
    } catch (RejectedExecutionException e) {
      finish(outcome);
    }
  }

  /* Who says when to come back is left to the retries of the run. */
  private static boolean isWorthAnotherTry(Outcome outcome, int triesBefore) {
    return outcome instanceof Outcome.Failed failed
        && failed.retryable()
        && failed.retryAfter().isEmpty()
        && triesBefore < PAUSES.size();
  }

  /** End early: give up what is under way and forget the tries that were to come. */
  void stop(StopReason reason) {
    if (!finish(outcome(reason))) {
      return;
    }
    Runnable call = underWay;
    if (call != null) {
      call.run();
    }
  }

  private static Outcome outcome(StopReason reason) {
    return switch (reason) {
      case CANCELED -> new Outcome.Canceled("the launch was given up");
      case TIMEOUT -> Outcome.failed(Failure.of("timeout", "the launch was given up"));
      case FENCED, STOPPING -> new Outcome.Interrupted("the launch was given up");
    };
  }

  private boolean finish(Outcome outcome) {
    boolean first = over.compareAndSet(false, true);
    if (first) {
      done.accept(outcome);
    }
    return first;
  }

  /* An executor that tells twice, or tells and then throws, is believed the first time. */
  private static final class Once implements Consumer<Outcome> {
    private final AtomicBoolean told = new AtomicBoolean();
    private final Consumer<Outcome> listener;

    Once(Consumer<Outcome> listener) {
      this.listener = listener;
    }

    @Override
    public void accept(Outcome outcome) {
      if (told.compareAndSet(false, true)) {
        listener.accept(outcome);
      }
    }
  }
}
