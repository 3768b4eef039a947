package dev.carillon.target;

import java.util.function.Consumer;

/** Where runs of a label go, for work that ends later than the call that starts it. */
@FunctionalInterface
public interface Target {
  /**
   * Start the work and tell its outcome once, from any thread. Throwing is failing.
   *
   * <p>A target should watch {@link RunContext#onStop} and end early when asked to.
   */
  void start(RunContext context, Consumer<Outcome> done) throws Exception;
}
