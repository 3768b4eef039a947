package dev.carillon.benchmarks.table;

import dev.carillon.benchmarks.contender.Entrant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** Rows and figures as the reports write them. */
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

  /** Write the figure of a peer, and how many times Carillon's it is. */
  static String peer(String name, String figure, double ratio) {
    return "%s %s, %s".formatted(name, figure, TableFigures.times(ratio));
  }

  /** Write how much more one figure is than another, which need not be more. */
  static String more(double difference, String unit) {
    return difference <= 0
        ? "no more"
        : difference < 0.05
            ? "less than 0.1 " + unit + " more"
            : TableFigures.brief(difference) + " " + unit + " more";
  }

  /** Write a share of 1, such as 0.90. */
  static String share(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }

  /** Return the result of {@code entrant}, which has to be there. */
  static <T> T known(Map<Entrant, T> results, Entrant entrant) {
    return Objects.requireNonNull(results.get(entrant), () -> entrant + " was not measured");
  }
}
