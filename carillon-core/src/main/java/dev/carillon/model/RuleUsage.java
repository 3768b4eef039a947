package dev.carillon.model;

import java.util.List;

/**
 * The schedules that use a calendar or quiet hours.
 *
 * @param count how many
 * @param first the keys of the first of them, in ascending order
 */
public record RuleUsage(long count, List<String> first) {
  public RuleUsage {
    first = List.copyOf(first);
  }
}
