package dev.carillon.targets.workflow;

import dev.carillon.target.Outcome;
import java.util.function.Consumer;

/** Runs the graphs of workflows, in this process or elsewhere. */
@FunctionalInterface
public interface WorkflowExecutor {
  /**
   * Start a launch and pass its outcome to {@code result} once, from any thread; an exception is a
   * failure.
   *
   * @param result receives accepted if a report will follow, otherwise the final outcome
   * @return an action that cancels the launch, as far as that is possible
   */
  Runnable run(Launch launch, Consumer<Outcome> result) throws Exception;
}
