package dev.carillon.cli.rooms.broken.server;

import dev.carillon.cli.rooms.broken.store.run.KnowsPlan;

/** A server that reaches into the store. */
final class ClaimsByItself {
  private ClaimsByItself() {}

  static void claim() {
    KnowsPlan.answer();
  }
}
