package dev.carillon.model;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * How many runs ended how.
 *
 * @param of what they have in common: an hour of slots, or a target
 * @param runs how many of them ended in each state; states in which none did are left out
 */
public record RunCounts<T>(T of, Map<RunState, Long> runs) {
  public RunCounts {
    var copy = new EnumMap<RunState, Long>(RunState.class);
    copy.putAll(runs);
    runs = Collections.unmodifiableMap(copy);
  }
}
