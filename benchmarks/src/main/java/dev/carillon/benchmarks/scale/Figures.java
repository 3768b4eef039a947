package dev.carillon.benchmarks.scale;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Numbers and rows as the reports write them. */
final class Figures {
  private Figures() {}

  static String whole(double value) {
    return String.format(Locale.ROOT, "%,.0f", value);
  }

  static String times(double value) {
    return Double.isNaN(value) ? "" : String.format(Locale.ROOT, "%.2f×", value);
  }

  /** Write milliseconds, or what else needs a digit only when small. */
  static String brief(double value) {
    return String.format(Locale.ROOT, value < 10 ? "%.1f" : "%,.0f", value);
  }

  static String fine(double value) {
    return String.format(Locale.ROOT, value < 0.1 ? "%.3f" : "%.2f", value);
  }

  static String percent(double part, double whole) {
    return String.format(Locale.ROOT, "%.1f %%", Math.floor(1_000 * part / whole) / 10);
  }

  static String mebibytes(long bytes) {
    return whole(bytes / 1024.0 / 1024.0);
  }

  /** Write one row of a table. */
  static String row(List<String> cells) {
    return cells.stream().collect(Collectors.joining(" | ", "| ", " |"));
  }

  /** Write the head of a table whose first {@code texts} columns hold words, the others numbers. */
  static List<String> head(int texts, List<String> titles) {
    return List.of(row(titles), "|---".repeat(texts) + "|---:".repeat(titles.size() - texts) + "|");
  }

  static String verdict(String words, boolean met, String found) {
    return "- %s: %s (%s)".formatted(words, met ? "met" : "MISSED", found);
  }
}
