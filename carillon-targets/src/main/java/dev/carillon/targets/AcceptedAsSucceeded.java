package dev.carillon.targets;

import dev.carillon.model.Run;
import dev.carillon.target.Outcome;
import dev.carillon.target.Probe;
import dev.carillon.target.RunContext;
import dev.carillon.target.Target;
import java.util.function.Consumer;

/**
 * A target that counts an accepted run as succeeded, since no report will follow.
 *
 * @param target the target that runs are sent to
 */
public record AcceptedAsSucceeded(Target target) implements Target {
  @Override
  public void start(RunContext run, Consumer<Outcome> done) throws Exception {
    target.start(run, outcome -> done.accept(succeededIfAccepted(outcome)));
  }

  @Override
  public boolean canProbe() {
    return target.canProbe();
  }

  @Override
  public void probe(Run run, Consumer<Probe> result) throws Exception {
    target.probe(run, result);
  }

  private static Outcome succeededIfAccepted(Outcome outcome) {
    return outcome instanceof Outcome.Accepted accepted
        ? new Outcome.Succeeded(accepted.externalId())
        : outcome;
  }
}
