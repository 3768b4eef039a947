package dev.carillon.benchmarks.scale;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** One question about scale, answered with a table. */
enum Suite {
  DRAIN {
    @Override
    List<String> answer(Arena arena, Effort effort) throws IOException, InterruptedException {
      return DrainTable.measure(arena, effort).lines();
    }
  },
  DRIFT {
    @Override
    List<String> answer(Arena arena, Effort effort) throws IOException, InterruptedException {
      return DriftTable.measure(arena, effort).lines();
    }
  },
  GROWTH {
    @Override
    List<String> answer(Arena arena, Effort effort) throws IOException, InterruptedException {
      return GrowthTable.measure(arena, effort).lines();
    }
  },
  HERD {
    @Override
    List<String> answer(Arena arena, Effort effort) throws IOException, InterruptedException {
      return HerdTable.measure(arena, effort).lines();
    }
  },
  CLUSTER {
    @Override
    List<String> answer(Arena arena, Effort effort) throws IOException, InterruptedException {
      return ClusterTable.measure(arena, effort).lines();
    }
  },
  IDLE {
    @Override
    List<String> answer(Arena arena, Effort effort) throws IOException, InterruptedException {
      return IdleTable.measure(arena, effort).lines();
    }
  },
  SERVER {
    @Override
    List<String> answer(Arena arena, Effort effort) throws IOException, InterruptedException {
      return ServerTable.measure(arena, effort).lines();
    }
  },
  HISTORY {
    @Override
    List<String> answer(Arena arena, Effort effort) throws IOException, InterruptedException {
      return HistoryTable.measure(arena, effort).lines();
    }
  },
  SOAK {
    @Override
    List<String> answer(Arena arena, Effort effort) throws IOException, InterruptedException {
      return SoakTable.measure(arena, effort).lines();
    }
  };

  /** Measure, and return the lines of the report. */
  abstract List<String> answer(Arena arena, Effort effort) throws IOException, InterruptedException;

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
}
