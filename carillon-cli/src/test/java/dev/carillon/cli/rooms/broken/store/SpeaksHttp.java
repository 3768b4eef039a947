package dev.carillon.cli.rooms.broken.store;

import org.eclipse.jetty.server.Request;

/** HTTP outside of the server. */
final class SpeaksHttp {
  private SpeaksHttp() {}

  static String speak(Request request) {
    return request.getMethod();
  }
}
