package dev.carillon.targets;

import dev.carillon.model.Failure;
import dev.carillon.target.Outcome;
import dev.carillon.target.RunContext;
import dev.carillon.target.Target;
import java.util.function.Consumer;

/**
 * A target that rejects every run, since its label has no target configured yet.
 *
 * @param failure the missing setting and how to set it
 */
public record UnconfiguredTarget(Failure failure) implements Target {
  @Override
  public void start(RunContext run, Consumer<Outcome> done) {
    done.accept(Outcome.failedPermanently(failure));
  }
}
