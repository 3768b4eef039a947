package dev.carillon.cli.rooms.broken.store;

/** A store that waits on its own. */
final class Sleeps {
  private Sleeps() {}

  static void later() throws InterruptedException {
    Thread.sleep(1);
  }
}
