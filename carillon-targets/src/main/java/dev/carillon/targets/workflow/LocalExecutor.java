package dev.carillon.targets.workflow;

import dev.carillon.model.Failure;
import dev.carillon.target.Outcome;
import java.util.function.Consumer;

/** An executor in this process: a function that runs on threads of the caller's. */
public final class LocalExecutor implements Executor {
  private final java.util.concurrent.Executor threads;
  private final Work work;

  /** What is done with a launch. */
  @FunctionalInterface
  public interface Work {
    /** Do it, or see that it is done, and say what came of it. Throwing is failing. */
    Outcome run(Launch launch) throws Exception;
  }

  /** Run {@code work} on {@code threads}, which it may block. */
  public LocalExecutor(java.util.concurrent.Executor threads, Work work) {
    this.threads = threads;
    this.work = work;
  }

  @Override
  public Runnable run(Launch launch, Consumer<Outcome> told) {
    threads.execute(() -> told.accept(outcome(launch)));
    return () -> {}; // a function in the middle of its work cannot be called back
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
