package dev.carillon.targets.workflow;

import dev.carillon.model.Failure;
import dev.carillon.target.Outcome;
import dev.carillon.target.RunContext;
import dev.carillon.target.Target;
import java.util.function.Consumer;

/** Launches the workflow that the payload of each run names. */
public final class WorkflowTarget implements Target {
  private final RunLauncher launcher;

  /** Launch by {@code launcher}. */
  public WorkflowTarget(RunLauncher launcher) {
    this.launcher = launcher;
  }

  @Override
  public void start(RunContext run, Consumer<Outcome> done) {
    LaunchRequest request;
    try {
      request = LaunchRequest.of(run);
    } catch (IllegalArgumentException e) {
      done.accept(
          Outcome.failedPermanently(
              Failure.of("payload_unusable", String.valueOf(e.getMessage()))));
      return;
    }
    LaunchAttempt launchAttempt = launcher.begin(request, done);
    run.onStop(launchAttempt::stop);
  }
}
