package dev.carillon.targets.workflow;

import dev.carillon.store.workflow.WorkflowStore;
import dev.carillon.target.Outcome;
import dev.carillon.target.StopReason;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;

/** Starts workflows: loads the stored graph and passes it to an executor. */
public final class RunLauncher {
  private final WorkflowStore workflows;
  private final WorkflowExecutor executor;
  private final java.util.concurrent.Executor threads;

  /**
   * Launch workflows of {@code workflows} on {@code executor}.
   *
   * @param threads run launches and may block
   */
  public RunLauncher(
      WorkflowStore workflows, WorkflowExecutor executor, java.util.concurrent.Executor threads) {
    this.workflows = workflows;
    this.executor = executor;
    this.threads = threads;
  }

  /**
   * Start a workflow and wait until its executor has accepted it.
   *
   * @return whether it was accepted; false if there is no such workflow, or if the executor failed
   */
  public boolean start(
      String workflowId, int version, String userId, Instant scheduledFor, String idempotencyKey) {
    var outcome = new CompletableFuture<Outcome>();
    LaunchAttempt launchAttempt =
        begin(
            new LaunchRequest(
                workflowId,
                Optional.of(version),
                Launch.NO_INPUT,
                LaunchContext.of(userId, scheduledFor, idempotencyKey)),
            outcome::complete);
    try {
      Outcome result = outcome.get();
      return result instanceof Outcome.Accepted || result instanceof Outcome.Succeeded;
    } catch (InterruptedException e) {
      launchAttempt.stop(StopReason.STOPPING);
      Thread.currentThread().interrupt();
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException("an outcome is never exceptional", e);
    }
  }

  /** Begin a launch; {@code done} receives its outcome once. */
  LaunchAttempt begin(LaunchRequest request, Consumer<Outcome> done) {
    var launchAttempt = new LaunchAttempt(workflows, executor, threads, request, done);
    launchAttempt.begin();
    return launchAttempt;
  }
}
