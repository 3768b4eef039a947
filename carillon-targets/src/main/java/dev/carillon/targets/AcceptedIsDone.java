package dev.carillon.targets;

import dev.carillon.model.Run;
import dev.carillon.target.Outcome;
import dev.carillon.target.Probe;
import dev.carillon.target.RunContext;
import dev.carillon.target.Target;
import java.util.function.Consumer;

/**
 * Takes a run that was accepted elsewhere for done, since nobody will report on it.
 *
 * @param target where runs go
 */
public record AcceptedIsDone(Target target) implements Target {
  @Override
  public void start(RunContext run, Consumer<Outcome> done) throws Exception {
    target.start(run, outcome -> done.accept(judged(outcome)));
  }

  @Override
  public boolean probes() {
    return target.probes();
  }

  @Override
  public void probe(Run run, Consumer<Probe> told) throws Exception {
    target.probe(run, told);
  }

  private static Outcome judged(Outcome outcome) {
    return outcome instanceof Outcome.Accepted accepted
        ? new Outcome.Succeeded(accepted.externalId())
        : outcome;
  }
}
