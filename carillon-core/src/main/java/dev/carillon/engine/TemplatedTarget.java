package dev.carillon.engine;

import dev.carillon.model.Payload;
import dev.carillon.target.Outcome;
import dev.carillon.target.RunContext;
import dev.carillon.target.Target;
import dev.carillon.template.TemplateException;
import java.util.function.Consumer;

/**
 * A target whose run has a template for a payload, which is filled in for the attempt first.
 *
 * @param target where the run goes
 */
record TemplatedTarget(Target target, PayloadTemplates templates) implements Target {
  @Override
  public void start(RunContext context, Consumer<Outcome> done) throws Exception {
    RunAttempt attempt = ((AttemptContext) context).of();
    Payload payload;
    try {
      payload = templates.expand(attempt.claimed());
    } catch (TemplateException e) {
      done.accept(Outcome.failedPermanently(e.failure()));
      return;
    }
    target.start(new AttemptContext(attempt, payload), done);
  }
}
