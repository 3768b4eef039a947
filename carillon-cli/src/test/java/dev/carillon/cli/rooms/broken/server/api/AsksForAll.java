package dev.carillon.cli.rooms.broken.server.api;

import dev.carillon.Carillon;
import dev.carillon.Schedules;

/** A handler that does not ask what its caller reaches. */
final class AsksForAll {
  private AsksForAll() {}

  static Schedules ask(Carillon carillon) {
    return carillon.schedules();
  }
}
