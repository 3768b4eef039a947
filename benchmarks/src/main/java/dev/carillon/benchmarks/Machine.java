package dev.carillon.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The computer that measures. */
public final class Machine {
  private Machine() {}

  /** Describe the processor, such as {@code AMD EPYC, 2 cores}. */
  public static String description() throws IOException {
    return "%s, %s cores".formatted(processor(), Runtime.getRuntime().availableProcessors());
  }

  private static String processor() throws IOException {
    Path cpuinfo = Path.of("/proc/cpuinfo");
    if (!Files.exists(cpuinfo)) {
      return System.getProperty("os.arch");
    }
    try (var lines = Files.lines(cpuinfo)) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElseGet(() -> System.getProperty("os.arch"));
    }
  }
}
