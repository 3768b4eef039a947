package dev.carillon.store.run;

import dev.carillon.model.RunState;
import java.util.HashSet;
import java.util.Set;

/**
 * Which successes of a batch the index by target gets: the first of each target and second of
 * slots, which so stands for the others.
 */
final class SuccessIndex {
  private final Set<Place> taken = new HashSet<>();

  private record Place(String target, long second) {}

  /** Tell whether {@code end} is the first success of its place, which is then taken. */
  boolean needs(SettledAttempt end) {
    return end.verdict().state() == RunState.SUCCEEDED
        && taken.add(new Place(end.run().target(), end.run().id().slot().getEpochSecond()));
  }
}
