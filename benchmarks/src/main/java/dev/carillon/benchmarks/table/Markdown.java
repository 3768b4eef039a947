package dev.carillon.benchmarks.table;

import dev.carillon.bench.Figures;
import dev.carillon.benchmarks.contender.Entrant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Rows and verdicts as the reports write them. */
final class Markdown {
  private Markdown() {}

  /** Write one row of a table. */
  static String row(List<String> cells) {
    return cells.stream().collect(Collectors.joining(" | ", "| ", " |"));
  }

  /** Write the head of a table whose first {@code texts} columns hold words, the others numbers. */
  static List<String> head(int texts, List<String> titles) {
    return List.of(row(titles), "|---".repeat(texts) + "|---:".repeat(titles.size() - texts) + "|");
  }

  /**
   * Write Carillon's figure and that of one other, as {@code dev.carillon.benchmarks.Summary} reads
   * it.
   */
  static String beside(String ours, String name, String theirs, double ratio) {
    return besideAll(ours, Stream.of(peer(name, theirs, ratio)));
  }

  /** Write Carillon's figure and those of {@code peers}, if there are any. */
  static String besideAll(String ours, Stream<String> peers) {
    String theirs = peers.collect(Collectors.joining(", "));
    return theirs.isEmpty() ? ours : ours + " against " + theirs;
  }

  /** Write the figure of a peer, and what it is in terms of Carillon's. */
  static String peer(String name, String figure, double ratio) {
    return "%s %s (%s)".formatted(name, figure, Figures.times(ratio));
  }

  /** Return the result of {@code entrant}, which has to be there. */
  static <T> T known(Map<Entrant, T> results, Entrant entrant) {
    return Objects.requireNonNull(results.get(entrant), () -> entrant + " was not measured");
  }

  static String verdict(String words, boolean met, String found) {
    return "- %s: %s (%s)".formatted(words, met ? "met" : "MISSED", found);
  }
}
