package dev.carillon.store.run;

import dev.carillon.model.RunState;
import java.util.HashSet;
import java.util.Set;

/** Selects the successes of a batch for the index by target: one per target and second of slots. */
final class SuccessSampler {
  private final Set<Key> taken = new HashSet<>();

  private record Key(String target, long second) {}

  boolean needs(AttemptEnd end) {
    return end.verdict().state() == RunState.SUCCEEDED
        && taken.add(new Key(end.run().target(), end.run().id().slot().getEpochSecond()));
  }
}
