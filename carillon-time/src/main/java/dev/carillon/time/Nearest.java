package dev.carillon.time;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the word that was probably meant. */
final class Nearest {
  private Nearest() {}

  /** Return the word closest to {@code typed}, if one is close enough to be meant. */
  static Optional<String> to(String typed, Collection<String> words) {
    int tolerable = Math.max(1, typed.length() / 4);
    return words.stream()
        .filter(word -> Math.abs(word.length() - typed.length()) <= tolerable)
        .min(Comparator.comparingInt(word -> distance(typed, word)))
        .filter(word -> distance(typed, word) <= tolerable);
  }

  /**
   * How many letters to add, drop or change to make {@code b} of {@code a}, whatever their case.
   */
  private static int distance(String a, String b) {
    String from = a.toLowerCase(Locale.ROOT);
    String to = b.toLowerCase(Locale.ROOT);
    var row = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int change = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(change, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[to.length()];
  }
}
