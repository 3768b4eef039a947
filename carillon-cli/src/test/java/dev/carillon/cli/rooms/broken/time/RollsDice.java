package dev.carillon.cli.rooms.broken.time;

/** A decision left to chance. */
final class RollsDice {
  private RollsDice() {}

  static double decide() {
    return Math.random();
  }
}
