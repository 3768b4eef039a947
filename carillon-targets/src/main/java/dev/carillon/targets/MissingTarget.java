package dev.carillon.targets;

import dev.carillon.model.Failure;
import dev.carillon.target.Outcome;
import dev.carillon.target.RunContext;
import dev.carillon.target.Target;
import java.util.function.Consumer;

/**
 * Fails every run because nobody has said yet where runs of its label go.
 *
 * @param failure what is missing, and what to set
 */
public record MissingTarget(Failure failure) implements Target {
  @Override
  public void start(RunContext run, Consumer<Outcome> done) {
    done.accept(Outcome.rejected(failure));
  }
}
