package dev.carillon.simulation;

import dev.carillon.fixture.Gen;
import dev.carillon.simulation.Journal.Kind;
import dev.carillon.simulation.Wire.Fate;
import java.util.function.Consumer;

/** Decides what goes wrong between a node and its database, as often as the story wants. */
final class Faults {
  private static final int PER = 10_000;

  private final Gen gen;
  private final Journal journal;
  private final Consumer<SimNode> others;
  private final int trouble;
  private boolean over;

  /**
   * Let things go wrong.
   *
   * @param others lets others act while a node is about to send something
   * @param trouble how often things go wrong: zero for never
   */
  Faults(Gen gen, Journal journal, Consumer<SimNode> others, int trouble) {
    this.gen = gen;
    this.journal = journal;
    this.others = others;
    this.trouble = trouble;
  }

  void end() {
    over = true;
  }

  Fate statement(SimNode node, boolean commits) {
    if (over || trouble == 0) {
      return Fate.DONE;
    }
    if (happens(250)) {
      others.accept(node);
    }
    if (happens(12)) {
      return crashed(node, commits && gen.percent(50) ? Fate.DEAD_AFTER : Fate.DEAD_BEFORE);
    }
    if (happens(20)) {
      return lost(node, commits && gen.percent(50) ? Fate.LOST_AFTER : Fate.LOST_BEFORE);
    }
    return Fate.DONE;
  }

  Fate commit(SimNode node, Fate planted) {
    if (planted != Fate.DONE && !over && gen.percent(25)) {
      return planted;
    }
    if (over || trouble == 0) {
      return Fate.DONE;
    }
    if (happens(250)) {
      others.accept(node);
    }
    if (happens(60)) {
      return crashed(node, gen.percent(50) ? Fate.DEAD_AFTER : Fate.DEAD_BEFORE);
    }
    if (happens(200)) {
      return lost(node, gen.percent(60) ? Fate.LOST_AFTER : Fate.LOST_BEFORE);
    }
    return Fate.DONE;
  }

  private boolean happens(int chance) {
    return gen.number(1, PER) <= chance * trouble;
  }

  private Fate crashed(SimNode node, Fate fate) {
    journal.say("    %s crashes, %s".formatted(node, fate));
    return fate;
  }

  private Fate lost(SimNode node, Fate fate) {
    journal.count(fate == Fate.LOST_AFTER ? Kind.AMBIGUOUS_COMMIT : Kind.LOST_CONNECTION);
    journal.say("    %s loses its connection, %s".formatted(node, fate));
    return fate;
  }
}
