package dev.carillon.cli.rooms.broken.server;

import dev.carillon.cli.rooms.broken.cli.TopRoom;

/** A server that knows the command line. */
final class CallsMain {
  private CallsMain() {}

  static void call() {
    TopRoom.answer();
  }
}
