package dev.carillon.cli.rooms.broken.model;

/** A name that says nothing at its end. */
final class BellManager {
  private BellManager() {}
}
