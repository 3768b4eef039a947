package dev.carillon.cli.rooms.broken;

/** What stands for the public API. */
public final class Root {
  private Root() {}

  /** Answer. */
  public static void answer() {}
}
