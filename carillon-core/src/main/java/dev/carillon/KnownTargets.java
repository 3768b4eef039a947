package dev.carillon;

import java.util.Set;
import java.util.TreeSet;

/**
 * The labels that have a target, here or on another node.
 *
 * @param labels the labels
 */
record KnownTargets(Set<String> labels) {

  /** Return {@code label}, or refuse it with those that are known. */
  String known(String label) {
    if (labels.contains(label)) {
      return label;
    }
    throw new IllegalArgumentException(
        labels.isEmpty()
            ? "no target '%s'; register it with CarillonBuilder.target(\"%s\", handler)"
                .formatted(label, label)
            : "no target '%s'; there are %s".formatted(label, new TreeSet<>(labels)));
  }
}
