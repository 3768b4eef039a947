package dev.carillon.cli.rooms.broken.store.plan;

import dev.carillon.cli.rooms.broken.store.run.KnowsPlan;

/** The other half of a cycle. */
public final class KnowsRun {
  private KnowsRun() {}

  /** Answer. */
  public static void answer() {
    KnowsPlan.answer();
  }
}
