package dev.carillon.cli.rooms.broken.bare;

/** A class in a package that does not say what may be null. */
final class Unmarked {
  private Unmarked() {}
}
