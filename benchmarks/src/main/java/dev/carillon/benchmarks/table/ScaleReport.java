package dev.carillon.benchmarks.table;

import dev.carillon.benchmarks.Machine;
import dev.carillon.benchmarks.Section;
import dev.carillon.benchmarks.Versions;
import dev.carillon.benchmarks.contender.Entrant;
import dev.carillon.benchmarks.contender.Suite;
import dev.carillon.benchmarks.measure.Arena;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/** Measures the suites that were asked for and writes down what was found. */
public final class ScaleReport {
  private ScaleReport() {}

  /**
   * Measure and print.
   *
   * @param args the suite, the data folder, the command that was typed, the commit that is
   *     measured, the page to put the sections into (empty: none), and any of {@code --quick} and
   *     {@code --only}, which leaves out the peers
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    String page = args[4];
    List<String> options = List.of(args).subList(5, args.length);
    SuiteEffort all = options.contains("--quick") ? SuiteEffort.QUICK : SuiteEffort.FULL;
    SuiteEffort effort = options.contains("--only") ? all.withoutPeers() : all;
    try (var arena = Arena.open(Path.of(args[1]).toAbsolutePath())) {
      for (Suite suite : Suite.called(args[0])) {
        var lines = new ArrayList<>(answer(suite, arena, effort));
        lines.add("");
        lines.add(setting(arena, args[2], args[3]));
        String report = String.join("\n", lines);
        System.out.println(report + "\n");
        if (!page.isEmpty()) {
          Section.called(suite.title()).write(report, Path.of(page));
        }
      }
    }
  }

  private static List<String> answer(Suite suite, Arena arena, SuiteEffort effort)
      throws IOException, InterruptedException {
    return switch (suite) {
      case DRAIN -> DrainTable.measure(arena, effort).lines();
      case DRIFT -> DriftTable.measure(arena, effort).lines();
      case GROWTH -> GrowthTable.measure(arena, effort).lines();
      case HERD -> HerdTable.measure(arena, effort).lines();
      case CLUSTER -> ClusterTable.measure(arena, effort).lines();
      case IDLE -> IdleTable.measure(arena, effort).lines();
      case SERVER -> ServerTable.measure(arena, effort).lines();
      case HISTORY -> HistoryTable.measure(arena, effort).lines();
      case CONSOLE -> ConsoleTable.measure(arena, effort).lines();
      case SOAK -> SoakTable.measure(arena, effort).lines();
    };
  }

  private static String setting(Arena arena, String command, String commit) throws IOException {
    return "Measured %s at %s with `%s` on %s, JDK %s, %s; %s."
        .formatted(
            LocalDate.now(ZoneOffset.UTC),
            commit,
            command,
            Machine.description(),
            Runtime.version(),
            arena.description(),
            Versions.of(Entrant.libraries()));
  }
}
