package dev.carillon.simulation;

import dev.carillon.model.Failure;
import dev.carillon.model.RunId;
import dev.carillon.target.Outcome;
import dev.carillon.target.RunContext;
import dev.carillon.target.Target;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The handlers of one node: each rings until it is told how it ends. */
final class Bell implements Target {
  private final InstantSource clock;
  private final Supplier<UUID> node;
  private final List<Effect> effects;
  private final List<Ringing> ringing = new ArrayList<>();

  Bell(InstantSource clock, Supplier<UUID> node, List<Effect> effects) {
    this.clock = clock;
    this.node = node;
    this.effects = effects;
  }

  /** A handler at work. */
  record Ringing(RunContext context, UUID node, Consumer<Outcome> done) {
    RunId run() {
      return context.id();
    }
  }

  @Override
  public void start(RunContext context, Consumer<Outcome> done) {
    var one = new Ringing(context, node.get(), done);
    record(one, Effect.What.STARTED);
    ringing.add(one);
  }

  private void record(Ringing one, Effect.What what) {
    effects.add(
        new Effect(
            one.run(),
            one.context.attempt(),
            one.node,
            clock.instant(),
            one.context.dueAt(),
            what));
  }

  List<Ringing> ringing() {
    return List.copyOf(ringing);
  }

  void finish(Ringing one) {
    ringing.remove(one);
    record(one, Effect.What.FINISHED);
    one.done.accept(Outcome.succeeded());
  }

  void fail(Ringing one) {
    ringing.remove(one);
    record(one, Effect.What.FAILED);
    one.done.accept(Outcome.failed(Failure.of("cracked", "the bell is cracked")));
  }

  /** Leave the work to somebody who will report. */
  Ringing accept(Ringing one) {
    ringing.remove(one);
    one.done.accept(Outcome.accepted("outside-" + one.context.attempt()));
    return one;
  }

  void fallSilent() {
    ringing.clear();
  }
}
