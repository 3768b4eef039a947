package dev.carillon.targets.workflow;

import dev.carillon.model.Failure;
import dev.carillon.target.Outcome;
import java.util.function.Consumer;

/** An executor that runs a function in this process, on the threads of its creator. */
public final class LocalExecutor implements WorkflowExecutor {
  private final java.util.concurrent.Executor threads;
  private final Work work;

  /** The function that runs a launch. */
  @FunctionalInterface
  public interface Work {
    /** Run the launch, or pass it on, and return the outcome; an exception is a failure. */
    Outcome run(Launch launch) throws Exception;
  }

  /** Run {@code work} on {@code threads}, which it may block. */
  public LocalExecutor(java.util.concurrent.Executor threads, Work work) {
    this.threads = threads;
    this.work = work;
  }

  @Override
  public Runnable run(Launch launch, Consumer<Outcome> result) {
    threads.execute(() -> result.accept(outcome(launch)));
    return () -> {}; // a running function cannot be canceled
  }

  private Outcome outcome(Launch launch) {
    try {
      return work.run(launch);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Outcome.Interrupted("the executor was interrupted");
    } catch (Exception e) {
      return Outcome.failed(Failure.of("executor_failed", String.valueOf(e)));
    }
  }
}
