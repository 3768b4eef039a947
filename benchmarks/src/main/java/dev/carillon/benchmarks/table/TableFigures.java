package dev.carillon.benchmarks.table;

import dev.carillon.bench.Figures;
import java.util.Locale;

/** Numbers as the cells of tables write them. */
final class TableFigures {
  private TableFigures() {}

  /** Write milliseconds, or what else needs a digit only when small; nothing if there is none. */
  static String brief(double value) {
    return Double.isNaN(value)
        ? ""
        : String.format(Locale.ROOT, value < 10 ? "%.1f" : "%,.0f", value);
  }

  static String times(double value) {
    return Double.isNaN(value)
        ? ""
        : String.format(Locale.ROOT, value < 10 ? "%.2f×" : "%,.0f×", value);
  }

  static String mebibytes(long bytes) {
    return Figures.whole(bytes / 1024.0 / 1024.0);
  }

  /** Write a share in tenths of a percent, never rounded up to what it has not reached. */
  static String percent(double part, double whole) {
    return String.format(Locale.ROOT, "%.1f %%", Math.floor(1_000 * part / whole) / 10);
  }
}
