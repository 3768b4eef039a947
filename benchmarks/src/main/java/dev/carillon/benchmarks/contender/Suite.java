package dev.carillon.benchmarks.contender;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** One question about scale, answered with a table. */
public enum Suite {
  DRAIN,
  DRIFT,
  GROWTH,
  HERD,
  CLUSTER,
  IDLE,
  SERVER,
  HISTORY,
  CONSOLE,
  SOAK;

  /** The name on the command line and in the page's markers. */
  public String title() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Return the suites behind {@code name}: {@code all}, or {@code scale}, which leaves out those
   * that take very long.
   */
  public static List<Suite> called(String name) {
    return switch (name) {
      case "all" -> List.of(values());
      case "scale" ->
          Arrays.stream(values())
              .filter(suite -> suite != HISTORY && suite != SOAK && suite != CONSOLE)
              .toList();
      default -> List.of(valueOf(name.toUpperCase(Locale.ROOT)));
    };
  }
}
