package dev.carillon.model;

import dev.carillon.time.Due;
import dev.carillon.time.Fire;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A slot of a timing that follows a calendar, or keeps quiet hours.
 *
 * @param fire the slot
 * @param dueAt when its run would be due; empty if it would become none
 * @param moves what moves its due time, in order
 * @param obstacle why it would become no run, in words
 */
public record TimingFire(
    Fire fire, Optional<Instant> dueAt, List<Due.Move> moves, Optional<String> obstacle) {
  public TimingFire {
    moves = List.copyOf(moves);
  }
}
