package dev.carillon;

import dev.carillon.time.InvalidValueException;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The labels that schedules and runs may have as their target.
 *
 * @param labels those that are known now
 */
record KnownTargets(Supplier<Set<String>> labels) {
  private static final int MAX_SHOWN = 5;

  /** Refuse a target of a schedule that is not known, with the known ones that are most like it. */
  void check(String key, String label) {
    require("schedule '" + key + "' has the", "target", label);
  }

  /** Return a target of a run, or refuse it if it is not known. */
  String known(String label) {
    require("no run can have the", "target", label);
    return label;
  }

  /** Refuse a label that is not known, which {@code subject} has in the field {@code field}. */
  void require(String subject, String field, String label) {
    Set<String> known = labels.get();
    if (!known.contains(label)) {
      int more = known.size() - MAX_SHOWN;
      throw new InvalidValueException(
          field,
          "%s unknown target '%s'; %s%s"
              .formatted(
                  subject,
                  label,
                  known.isEmpty()
                      ? "register it first"
                      : "known are " + String.join(", ", nearest(label, known)),
                  more > 0 ? " and " + more + " more" : ""));
    }
  }

  private static List<String> nearest(String label, Set<String> known) {
    return known.stream()
        .sorted(
            Comparator.comparingDouble((String name) -> -likeness(label, name))
                .thenComparing(Comparator.naturalOrder()))
        .limit(MAX_SHOWN)
        .toList();
  }

  /** Return how many of the pairs of letters of two words are in both. */
  private static double likeness(String one, String other) {
    Set<String> pairs = pairs(one);
    Set<String> others = pairs(other);
    int all = pairs.size() + others.size();
    pairs.retainAll(others);
    return (double) pairs.size() / all;
  }

  private static Set<String> pairs(String word) {
    String padded = " " + word.toLowerCase(Locale.ROOT) + " ";
    var pairs = new HashSet<String>();
    for (int i = 0; i + 1 < padded.length(); i++) {
      pairs.add(padded.substring(i, i + 2));
    }
    return pairs;
  }
}
