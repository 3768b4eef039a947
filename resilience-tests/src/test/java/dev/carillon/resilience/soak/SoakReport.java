package dev.carillon.resilience.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The result of a soak, as Markdown for the docs and as a file with all samples. */
final class SoakReport {
  private static final Map<String, Long> NOISE =
      Map.ofEntries(
          Map.entry("live heap of node-1, KiB", 4096L),
          Map.entry("threads of node-1", 10L),
          Map.entry("open files of both nodes", 20L),
          Map.entry("database connections", 4L),
          Map.entry("rows of run", 5000L),
          Map.entry("rows of lane", 20L),
          Map.entry("rows of cursor", 0L),
          Map.entry("rows of node", 2L),
          Map.entry("rows of node_target", 20L),
          Map.entry("rows of failure_streak", 50L),
          Map.entry("rows of run_count_delta", 20_000L),
          Map.entry("size of run, KiB", 16_384L),
          Map.entry("size of lane, KiB", 4_096L),
          Map.entry("size of cursor, KiB", 4_096L),
          Map.entry("size of all live tables, KiB", 24_576L),
          Map.entry("dead rows of run", 60_000L),
          Map.entry("dead rows of lane", 20_000L),
          Map.entry("dead rows of cursor", 20_000L));

  private final List<Sample> samples;
  private final SlotAudit audit;
  private final List<String> faults;

  SoakReport(List<Sample> samples, SlotAudit audit, List<String> faults) {
    this.samples = samples;
    this.audit = audit;
    this.faults = faults;
  }

  private List<Growth> growths() {
    var growths = new ArrayList<Growth>();
    List<Long> seconds = samples.stream().map(Sample::second).toList();
    for (String name : samples.get(0).values().keySet()) {
      if (NOISE.containsKey(name)) {
        growths.add(
            Growth.of(
                name,
                seconds,
                samples.stream().map(sample -> sample.values().getOrDefault(name, 0L)).toList()));
      }
    }
    return growths;
  }

  private static boolean grew(Growth growth) {
    return growth.grew(NOISE.getOrDefault(growth.name(), 0L));
  }

  boolean holds() {
    return audit.holds() && growths().stream().noneMatch(SoakReport::grew);
  }

  /** Return the result as Markdown. */
  String markdown(String headline) {
    var text = new StringBuilder(headline).append("\n\n| slots and calls | |\n|---|---:|\n");
    audit.figures().forEach((name, value) -> text.append("| %s | %s |\n".formatted(name, value)));
    text.append(
        """

        | held | median of the first half | median of the second | most | slope per hour | grew |
        |---|---:|---:|---:|---:|---|
        """);
    for (Growth growth : growths()) {
      text.append(
          String.format(
              Locale.ROOT,
              "| %s | %,d | %,d | %,d | %+,d | %s |\n",
              growth.name(),
              growth.first(),
              growth.second(),
              growth.most(),
              growth.perHour(),
              grew(growth) ? "**yes**" : "no"));
    }
    text.append("\nFaults, one a minute:\n\n| fault | times |\n|---|---:|\n");
    faults.stream()
        .distinct()
        .forEach(
            fault ->
                text.append(
                    "| %s | %s |\n"
                        .formatted(fault, faults.stream().filter(fault::equals).count())));
    text.append("\nVerdict: **%s**\n".formatted(holds() ? "holds" : "does not hold"));
    return text.toString();
  }

  /** Write all samples, a line each with tabs between the columns. */
  void writeSamples(Path file) throws IOException {
    var lines = new ArrayList<String>();
    lines.add("second\t" + String.join("\t", samples.get(0).values().keySet()));
    for (Sample sample : samples) {
      lines.add(
          sample.second()
              + "\t"
              + String.join("\t", sample.values().values().stream().map(String::valueOf).toList()));
    }
    Files.write(file, lines);
  }
}
