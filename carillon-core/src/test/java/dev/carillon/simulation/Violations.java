package dev.carillon.simulation;

import java.util.ArrayList;
import java.util.List;

/** The laws found broken so far. */
final class Violations {
  private final List<Violation> list = new ArrayList<>();

  @SuppressWarnings("AnnotateFormatMethod")
  void check(boolean holds, String law, String what, Object... details) {
    if (!holds) {
      list.add(new Violation(law, what.formatted(details)));
    }
  }

  List<Violation> list() {
    return List.copyOf(list);
  }
}
