package dev.carillon.cli.rooms.broken.targets;

import org.eclipse.jetty.server.Request;

/** A target that takes requests instead of sending them. */
public final class ServesHttp {
  private ServesHttp() {}

  static String serve(Request request) {
    return request.getMethod();
  }

  /** Answer. */
  public static void answer() {}
}
