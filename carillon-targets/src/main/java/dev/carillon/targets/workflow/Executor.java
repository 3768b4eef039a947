package dev.carillon.targets.workflow;

import dev.carillon.target.Outcome;
import java.util.function.Consumer;

/** Whoever runs the graph of a workflow. */
@FunctionalInterface
public interface Executor {
  /**
   * Hand over a launch, and tell once what came of it, from any thread. Throwing is failing.
   *
   * @param told accepted, if a report will follow; done or failed, if that is known already
   * @return what gives the launch up, as far as that can be done
   */
  Runnable run(Launch launch, Consumer<Outcome> told) throws Exception;
}
