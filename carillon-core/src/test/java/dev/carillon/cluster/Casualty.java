package dev.carillon.cluster;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * A node that was killed or frozen, and what it had in hand.
 *
 * @param name what it is called
 * @param node its id
 * @param frozen whether it was merely frozen
 * @param at when, by the database's clock
 * @param held the attempts it was at
 */
record Casualty(String name, UUID node, boolean frozen, Instant at, List<Held> held) {
  /** An attempt that a node was at. */
  record Held(long schedule, Instant slot, int ordinal, int attempt) {}
}
