package dev.carillon.cli.rooms.broken.store;

import dev.carillon.cli.rooms.broken.targets.ServesHttp;

/** The core knowing a target of a module above it. */
final class KnowsTargets {
  private KnowsTargets() {}

  static void call() {
    ServesHttp.answer();
  }
}
