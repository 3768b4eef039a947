package dev.carillon.server.api;

import dev.carillon.server.web.UnknownName;
import java.util.Set;
import java.util.TreeSet;

/** What to say about a label that no target has. */
final class UnknownTarget {
  private static final int MAX_SHOWN = 20;

  private UnknownTarget() {}

  static String say(String label, Set<String> known) {
    return (known.size() <= MAX_SHOWN
            ? "there is no such target: " + UnknownName.word(label, new TreeSet<>(known))
            : "there is no target of this label; GET /api/v1/targets lists them")
        + "; PUT /api/v1/targets/{label} defines one";
  }
}
