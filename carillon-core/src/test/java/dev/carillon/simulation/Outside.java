package dev.carillon.simulation;

import dev.carillon.fixture.Gen;
import dev.carillon.model.Failure;
import dev.carillon.model.Report;
import dev.carillon.simulation.Bell.Ringing;
import dev.carillon.simulation.Effect.What;
import dev.carillon.simulation.Journal.Kind;
import java.util.ArrayList;
import java.util.List;

/** Somebody who accepts runs and reports on them: early, late, twice, or never. */
final class Outside {
  private final World world;
  private final Gen gen;
  private final List<Ringing> accepted = new ArrayList<>();

  Outside(World world) {
    this.world = world;
    this.gen = world.gen();
  }

  /** Take over from a handler; its node may hear of that before or after the report. */
  void accept(SimNode node, Ringing one) {
    world.journal().count(Kind.ACCEPTANCE);
    accepted.add(one);
    if (gen.percent(20)) {
      report();
    }
    world.act(node, "hands over", () -> node.bell().accept(one));
  }

  /** Say how some run ended, to whichever node listens. */
  void report() {
    if (accepted.isEmpty()) {
      return;
    }
    Ringing one = gen.oneOf(accepted);
    if (gen.percent(90)) {
      accepted.remove(one);
    }
    if (gen.percent(85)) {
      report(one, gen.percent(30));
    } // else it is forgotten there, and times out here
  }

  void reportAll() {
    for (Ringing one : List.copyOf(accepted)) {
      report(one, false);
    }
    accepted.clear();
  }

  private void report(Ringing one, boolean fails) {
    world.journal().count(Kind.REPORT);
    Report report = fails ? Report.failed(Failure.of("cracked", "outside")) : Report.succeeded();
    world
        .effects()
        .add(
            new Effect(
                one.run(),
                one.context().attempt(),
                one.node(),
                world.clock().instant(),
                one.context().dueAt(),
                fails ? What.FAILED : What.FINISHED));
    world.act(
        world.user(),
        "hears a report",
        () ->
            world
                .user()
                .carillon()
                .runs()
                .report(one.run(), report.forAttempt(one.context().attempt())));
  }
}
