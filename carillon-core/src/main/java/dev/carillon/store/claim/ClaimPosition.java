package dev.carillon.store.claim;

import java.time.Instant;

/** A place in the order in which runs of a target are claimed. */
public record ClaimPosition(Instant wakeAt, long schedule) implements Comparable<ClaimPosition> {
  @Override
  public int compareTo(ClaimPosition other) {
    int order = wakeAt.compareTo(other.wakeAt);
    return order == 0 ? Long.compare(schedule, other.schedule) : order;
  }
}
