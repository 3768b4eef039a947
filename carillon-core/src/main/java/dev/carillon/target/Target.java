package dev.carillon.target;

import dev.carillon.model.Run;
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

  /** Tell whether {@link #probe} can know anything; if not, it is not asked. */
  default boolean canProbe() {
    return false;
  }

  /**
   * Ask what became of a run whose node was lost, before it is given to its recovery, and tell
   * once, from any thread. Throwing, and telling nothing for half a minute, is not knowing.
   */
  default void probe(Run run, Consumer<Probe> result) throws Exception {
    result.accept(Probe.unknown());
  }
}
