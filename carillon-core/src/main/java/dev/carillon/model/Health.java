package dev.carillon.model;

import java.util.List;
import java.util.Map;

/**
 * Whether a scheduler does its work, and if not, why not.
 *
 * @param reasons a sentence about each thing that is wrong, on this node or in the cluster; empty
 *     if nothing is
 * @param numbers figures of the cluster by name: missed, stalled, due, silent, nodes, pending and
 *     running; empty if the database could not be asked
 */
public record Health(List<String> reasons, Map<String, Long> numbers) {
  public Health {
    reasons = List.copyOf(reasons);
    numbers = Map.copyOf(numbers);
  }

  /** Tell whether nothing is wrong. */
  public boolean isHealthy() {
    return reasons.isEmpty();
  }
}
