package dev.carillon.cluster;

import dev.carillon.target.Handler;
import dev.carillon.target.RunContext;

/** A handler that takes as long, and fails as often, as its payload says. */
final class Work implements Handler {
  static final String LABEL = "work";

  private final Effects effects;

  Work(Effects effects) {
    this.effects = effects;
  }

  @Override
  public void run(RunContext context) throws Exception {
    effects.record(context, () -> Habit.of(context).practise(context));
  }
}
