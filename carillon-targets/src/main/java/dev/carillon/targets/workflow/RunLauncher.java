package dev.carillon.targets.workflow;

import dev.carillon.store.WorkflowStore;
import dev.carillon.target.Outcome;
import dev.carillon.target.StopReason;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;

/** Starts workflows: loads the graph of one from where it is stored and hands it to an executor. */
public final class RunLauncher {
  private final WorkflowStore workflows;
  private final Executor executor;
  private final java.util.concurrent.Executor aside;

  /**
   * Launch what is in {@code workflows} on {@code executor}.
   *
   * @param aside runs what may block
   */
  public RunLauncher(
      WorkflowStore workflows, Executor executor, java.util.concurrent.Executor aside) {
    this.workflows = workflows;
    this.executor = executor;
    this.aside = aside;
  }

  /**
   * Start a workflow, and wait until its executor has it.
   *
   * @return whether it has; false if there is no such workflow, or if the executor did not take it
   */
  public boolean start(
      String workflowId, int version, String userId, Instant scheduledFor, String idempotencyKey) {
    var outcome = new CompletableFuture<Outcome>();
    Launching launching =
        begin(
            new Order(
                workflowId,
                Optional.of(version),
                Launch.NO_INPUT,
                LaunchContext.of(userId, scheduledFor, idempotencyKey)),
            outcome::complete);
    try {
      Outcome said = outcome.get();
      return said instanceof Outcome.Accepted || said instanceof Outcome.Succeeded;
    } catch (InterruptedException e) {
      launching.stop(StopReason.STOPPING);
      Thread.currentThread().interrupt();
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException("an outcome is never exceptional", e);
    }
  }

  /** Begin to launch what is ordered, and tell once what came of it. */
  Launching begin(Order order, Consumer<Outcome> done) {
    var launching = new Launching(workflows, executor, aside, order, done);
    launching.begin();
    return launching;
  }
}
