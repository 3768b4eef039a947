package dev.carillon.cli;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds what a mistyped word was meant to be. */
final class Nearest {
  private Nearest() {}

  /** Return the word of {@code known} that is nearest to {@code typed}, if one is near at all. */
  static Optional<String> to(String typed, Collection<String> known) {
    String lower = typed.toLowerCase(Locale.ROOT);
    int near = Math.max(1, typed.replace("-", "").length() / 2);
    return known.stream()
        .filter(word -> distance(lower, word) <= near)
        .min(Comparator.comparingInt(word -> distance(lower, word)));
  }

  /** Count the letters to add, drop, change or swap with their neighbour. */
  private static int distance(String from, String to) {
    int[][] steps = new int[from.length() + 1][to.length() + 1];
    for (int i = 0; i <= from.length(); i++) {
      for (int j = 0; j <= to.length(); j++) {
        if (i == 0 || j == 0) {
          steps[i][j] = i + j;
          continue;
        }
        int change = from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1;
        int best =
            Math.min(steps[i - 1][j - 1] + change, 1 + Math.min(steps[i - 1][j], steps[i][j - 1]));
        boolean swapped =
            i > 1
                && j > 1
                && from.charAt(i - 1) == to.charAt(j - 2)
                && from.charAt(i - 2) == to.charAt(j - 1);
        steps[i][j] = swapped ? Math.min(best, steps[i - 2][j - 2] + 1) : best;
      }
    }
    return steps[from.length()][to.length()];
  }
}
