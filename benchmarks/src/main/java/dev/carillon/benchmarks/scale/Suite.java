package dev.carillon.benchmarks.scale;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** One question about scale, answered with a table. */
enum Suite {
  DRAIN((arena, effort) -> DrainTable.measure(arena, effort).lines()),
  DRIFT((arena, effort) -> DriftTable.measure(arena, effort).lines()),
  GROWTH((arena, effort) -> GrowthTable.measure(arena, effort).lines()),
  HERD((arena, effort) -> HerdTable.measure(arena, effort).lines()),
  CLUSTER((arena, effort) -> ClusterTable.measure(arena, effort).lines()),
  IDLE((arena, effort) -> IdleTable.measure(arena, effort).lines()),
  SERVER((arena, effort) -> ServerTable.measure(arena, effort).lines()),
  HISTORY((arena, effort) -> HistoryTable.measure(arena, effort).lines()),
  SOAK((arena, effort) -> SoakTable.measure(arena, effort).lines());

  private final Question question;

  Suite(Question question) {
    this.question = question;
  }

  /** Measure, and return the lines of the report. */
  List<String> answer(Arena arena, Effort effort) throws IOException, InterruptedException {
    return question.answer(arena, effort);
  }

  /** The name on the command line and in the page's markers. */
  String title() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Return the suites behind {@code name}: {@code all}, or {@code scale}, which leaves out those
   * that take very long.
   */
  static List<Suite> called(String name) {
    return switch (name) {
      case "all" -> List.of(values());
      case "scale" ->
          Arrays.stream(values()).filter(suite -> suite != HISTORY && suite != SOAK).toList();
      default -> List.of(valueOf(name.toUpperCase(Locale.ROOT)));
    };
  }

  private interface Question {
    List<String> answer(Arena arena, Effort effort) throws IOException, InterruptedException;
  }
}
