package dev.carillon.store;

import java.time.Instant;

/** A place in the order in which runs of a target are claimed. */
public record Place(Instant wakeAt, long schedule) implements Comparable<Place> {
  @Override
  public int compareTo(Place other) {
    int order = wakeAt.compareTo(other.wakeAt);
    return order == 0 ? Long.compare(schedule, other.schedule) : order;
  }
}
