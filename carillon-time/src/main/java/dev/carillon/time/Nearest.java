package dev.carillon.time;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the word that was probably meant. */
public final class Nearest {
  private Nearest() {}

  /** Return the word closest to {@code typed}, if one is close enough to be meant. */
  public static Optional<String> to(String typed, Collection<String> words) {
    return to(typed, words, Math.max(1, typed.length() / 4));
  }

  /** Return the word closest to {@code typed} that is at most {@code tolerable} slips away. */
  public static Optional<String> to(String typed, Collection<String> words, int tolerable) {
    return words.stream()
        .filter(word -> Math.abs(word.length() - typed.length()) <= tolerable)
        .min(Comparator.comparingInt(word -> distance(typed, word)))
        .filter(word -> distance(typed, word) <= tolerable);
  }

  /** Count the letters to add, drop, change or swap with their neighbour, whatever their case. */
  private static int distance(String a, String b) {
    String from = a.toLowerCase(Locale.ROOT);
    String to = b.toLowerCase(Locale.ROOT);
    int[][] slips = new int[from.length() + 1][to.length() + 1];
    for (int i = 0; i <= from.length(); i++) {
      for (int j = 0; j <= to.length(); j++) {
        slips[i][j] = i == 0 || j == 0 ? i + j : fewest(from, to, i, j, slips);
      }
    }
    return slips[from.length()][to.length()];
  }

  private static int fewest(String from, String to, int i, int j, int[][] slips) {
    int change = from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1;
    int best =
        Math.min(slips[i - 1][j - 1] + change, 1 + Math.min(slips[i - 1][j], slips[i][j - 1]));
    boolean swapped =
        i > 1
            && j > 1
            && from.charAt(i - 1) == to.charAt(j - 2)
            && from.charAt(i - 2) == to.charAt(j - 1);
    return swapped ? Math.min(best, slips[i - 2][j - 2] + 1) : best;
  }
}
