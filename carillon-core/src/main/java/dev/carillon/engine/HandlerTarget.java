package dev.carillon.engine;

import dev.carillon.target.Handler;
import dev.carillon.target.Outcome;
import dev.carillon.target.RunContext;
import dev.carillon.target.Target;
import java.util.function.Consumer;

/** A handler as a target: its return is success. */
public record HandlerTarget(Handler handler) implements Target {
  @Override
  public void start(RunContext context, Consumer<Outcome> done) throws Exception {
    handler.run(context);
    done.accept(Outcome.succeeded());
  }
}
