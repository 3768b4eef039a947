package dev.carillon.targets;

import dev.carillon.target.Outcome;
import dev.carillon.target.RunContext;
import dev.carillon.target.Target;
import java.util.function.Consumer;

/** A target that does nothing and succeeds, for trying out schedules without effects. */
public final class NoopTarget implements Target {
  @Override
  public void start(RunContext context, Consumer<Outcome> done) {
    done.accept(Outcome.succeeded());
  }
}
