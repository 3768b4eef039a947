package dev.carillon.cli.rooms.broken.targets;

import io.javalin.http.Context;

/** A target that takes requests instead of sending them. */
public final class ServesHttp {
  private ServesHttp() {}

  static String serve(Context context) {
    return context.path();
  }

  /** Answer. */
  public static void answer() {}
}
