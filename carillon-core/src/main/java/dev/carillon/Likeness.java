package dev.carillon;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Finds names that look like a mistyped one, by the pairs of letters they share. */
final class Likeness {
  private Likeness() {}

  /** Return up to {@code most} of {@code known}, those most like {@code typed} first. */
  static List<String> nearest(String typed, Collection<String> known, int most) {
    return known.stream()
        .sorted(
            Comparator.comparingDouble((String name) -> -likeness(typed, name))
                .thenComparing(Comparator.naturalOrder()))
        .limit(most)
        .toList();
  }

  private static double likeness(String one, String other) {
    Set<String> pairs = pairs(one);
    Set<String> others = pairs(other);
    int all = pairs.size() + others.size();
    pairs.retainAll(others);
    return (double) pairs.size() / all;
  }

  private static Set<String> pairs(String word) {
    String padded = "^" + word.toLowerCase(Locale.ROOT) + "$";
    var pairs = new HashSet<String>();
    for (int i = 0; i + 1 < padded.length(); i++) {
      pairs.add(padded.substring(i, i + 2));
    }
    return pairs;
  }
}
