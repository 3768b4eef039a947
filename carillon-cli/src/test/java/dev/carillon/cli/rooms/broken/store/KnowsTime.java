package dev.carillon.cli.rooms.broken.store;

import dev.carillon.cli.rooms.broken.server.AsksDirectly;
import dev.carillon.cli.rooms.broken.time.KnowsStore;

/** A store that knows the server, against the arrows between modules. */
public final class KnowsTime {
  private KnowsTime() {}

  /** Answer. */
  public static void answer() {
    KnowsStore.answer();
    AsksDirectly.answer();
  }
}
