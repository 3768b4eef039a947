package dev.carillon.time;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the known word that is closest to a mistyped one. */
public final class ClosestMatch {
  private ClosestMatch() {}

  /** Return the word closest to {@code typed}, if one is close enough. */
  public static Optional<String> to(String typed, Collection<String> words) {
    return to(typed, words, Math.max(1, typed.length() / 4));
  }

  /** Return the word closest to {@code typed} within {@code maxDistance} edits. */
  public static Optional<String> to(String typed, Collection<String> words, int maxDistance) {
    return words.stream()
        .filter(word -> Math.abs(word.length() - typed.length()) <= maxDistance)
        .min(Comparator.comparingInt(word -> distance(typed, word)))
        .filter(word -> distance(typed, word) <= maxDistance);
  }

  /** Return the Damerau-Levenshtein distance (optimal string alignment), ignoring case. */
  private static int distance(String a, String b) {
    String from = a.toLowerCase(Locale.ROOT);
    String to = b.toLowerCase(Locale.ROOT);
    int[][] distances = new int[from.length() + 1][to.length() + 1];
    for (int i = 0; i <= from.length(); i++) {
      for (int j = 0; j <= to.length(); j++) {
        distances[i][j] = i == 0 || j == 0 ? i + j : cellDistance(from, to, i, j, distances);
      }
    }
    return distances[from.length()][to.length()];
  }

  private static int cellDistance(String from, String to, int i, int j, int[][] distances) {
    int change = from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1;
    int best =
        Math.min(
            distances[i - 1][j - 1] + change,
            1 + Math.min(distances[i - 1][j], distances[i][j - 1]));
    boolean swapped =
        i > 1
            && j > 1
            && from.charAt(i - 1) == to.charAt(j - 2)
            && from.charAt(i - 2) == to.charAt(j - 1);
    return swapped ? Math.min(best, distances[i - 2][j - 2] + 1) : best;
  }
}
