package dev.carillon.cli.rooms.broken.store.run;

import dev.carillon.cli.rooms.broken.store.plan.KnowsRun;

/** A part of the store that knows another, which knows it in turn. */
public final class KnowsPlan {
  private KnowsPlan() {}

  /** Answer. */
  public static void answer() {
    KnowsRun.answer();
  }
}
