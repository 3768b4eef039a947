package dev.carillon.cli.rooms.broken.cli;

/** What only the top may know. */
public final class TopRoom {
  private TopRoom() {}

  /** Answer. */
  public static void answer() {}
}
