package dev.carillon.cli.rooms.broken.store;

import io.javalin.http.Context;

/** HTTP outside of the server. */
final class SpeaksHttp {
  private SpeaksHttp() {}

  static String speak(Context context) {
    return context.path();
  }
}
