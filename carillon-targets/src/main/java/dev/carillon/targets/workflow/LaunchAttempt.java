package dev.carillon.targets.workflow;

import dev.carillon.model.Failure;
import dev.carillon.model.Workflow;
import dev.carillon.store.jdbc.StoreException;
import dev.carillon.store.workflow.WorkflowStore;
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
 * One launch in progress: finds the workflow and passes it to the executor, up to three times.
 * Every try has the same idempotency key, so an executor that did not answer can be called again.
 */
final class LaunchAttempt {
  /** How long to wait before the second and the third try. */
  static final List<Duration> PAUSES = List.of(Duration.ofMillis(200), Duration.ofSeconds(1));

  private final WorkflowStore workflows;
  private final WorkflowExecutor executor;
  private final java.util.concurrent.Executor threads;
  private final LaunchRequest request;
  private final Consumer<Outcome> done;
  private final AtomicBoolean finished = new AtomicBoolean();
  private volatile @Nullable Runnable cancelCurrent;

  LaunchAttempt(
      WorkflowStore workflows,
      WorkflowExecutor executor,
      java.util.concurrent.Executor threads,
      LaunchRequest request,
      Consumer<Outcome> done) {
    this.workflows = workflows;
    this.executor = executor;
    this.threads = threads;
    this.request = request;
    this.done = done;
  }

  void begin() {
    try {
      threads.execute(this::find);
    } catch (RejectedExecutionException e) {
      finish(new Outcome.Interrupted("this node is stopping"));
    }
  }

  private void find() {
    try {
      Optional<Workflow> found = request.find(workflows);
      if (found.isEmpty()) {
        finish(Outcome.failedPermanently(Failure.of("workflow_unknown", request.notFound())));
      } else {
        tryLaunch(new Launch(found.get(), request.input(), request.context()), 0);
      }
    } catch (StoreException e) {
      finish(Outcome.failed(Failure.of("store", String.valueOf(e.getMessage()))));
    }
  }

  private void tryLaunch(Launch launch, int triesBefore) {
    if (finished.get()) {
      return;
    }
    var first = new AtomicBoolean(true);
    Consumer<Outcome> result = // later outcomes and exceptions of the same try are ignored
        outcome -> {
          if (first.getAndSet(false)) {
            ended(launch, triesBefore, outcome);
          }
        };
    try {
      Runnable cancel = executor.run(launch, result);
      cancelCurrent = cancel;
      if (finished.get()) {
        cancel.run(); // stopped before the executor returned its cancel action
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      result.accept(new Outcome.Interrupted("this node is stopping"));
    } catch (Exception e) {
      result.accept(Outcome.failed(Failure.of("executor_failed", String.valueOf(e))));
    }
  }

  private void ended(Launch launch, int triesBefore, Outcome outcome) {
    if (!isWorthAnotherTry(outcome, triesBefore)) {
      finish(outcome);
      return;
    }
    try {
      CompletableFuture.delayedExecutor(
              PAUSES.get(triesBefore).toMillis(), TimeUnit.MILLISECONDS, threads)
          .execute(() -> tryLaunch(launch, triesBefore + 1));
    } catch (RejectedExecutionException e) {
      finish(outcome);
    }
  }

  /* A failure with a Retry-After is left to the retries of the run. */
  private static boolean isWorthAnotherTry(Outcome outcome, int triesBefore) {
    return outcome instanceof Outcome.Failed failed
        && failed.retryable()
        && failed.retryAfter().isEmpty()
        && triesBefore < PAUSES.size();
  }

  /** End early: cancel the current try and start no more. */
  void stop(StopReason reason) {
    if (!finish(reason.outcome("the launch was given up"))) {
      return;
    }
    Runnable cancel = cancelCurrent;
    if (cancel != null) {
      cancel.run();
    }
  }

  private boolean finish(Outcome outcome) {
    boolean first = finished.compareAndSet(false, true);
    if (first) {
      done.accept(outcome);
    }
    return first;
  }
}
