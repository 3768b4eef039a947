package dev.carillon.benchmarks.scale;

import dev.carillon.benchmarks.Machine;
import dev.carillon.benchmarks.Section;
import dev.carillon.benchmarks.Versions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;

/** Measures the suites that were asked for and writes down what was found. */
public final class ScaleReport {
  private ScaleReport() {}

  /**
   * Measure and print.
   *
   * @param args the suite, the data folder, the command that was typed, either {@code --quick} or
   *     the page to put the sections into, and the commit that is measured
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    boolean quick = args[3].equals("--quick");
    Effort effort = quick ? Effort.QUICK : Effort.FULL;
    try (var arena = Arena.open(Path.of(args[1]).toAbsolutePath())) {
      for (Suite suite : Suite.called(args[0])) {
        var lines = new ArrayList<>(suite.answer(arena, effort));
        lines.add("");
        lines.add(setting(arena, args[2], args[4]));
        String report = String.join("\n", lines);
        System.out.println(report + "\n");
        if (!quick) {
          Section.called(suite.title()).write(report, Path.of(args[3]));
        }
      }
    }
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
