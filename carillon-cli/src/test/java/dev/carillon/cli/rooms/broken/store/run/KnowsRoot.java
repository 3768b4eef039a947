package dev.carillon.cli.rooms.broken.store.run;

import dev.carillon.cli.rooms.broken.Root;

/** A store that knows the root package above it. */
final class KnowsRoot {
  private KnowsRoot() {}

  static void call() {
    Root.answer();
  }
}
