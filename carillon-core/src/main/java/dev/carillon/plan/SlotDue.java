package dev.carillon.plan;

import dev.carillon.model.DroppedSlots.Reason;
import dev.carillon.time.Due;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What calendar, quiet hours, window and jitter make of a slot.
 *
 * @param slot the slot
 * @param due when its run is due before jitter; the slot if it becomes none
 * @param dueAt when its run may start
 * @param moves what moved it, in order
 * @param obstacle why it becomes no run; empty if it does
 */
public record SlotDue(
    Instant slot, Instant due, Instant dueAt, List<Due.Move> moves, Optional<Obstacle> obstacle) {

  /**
   * Why a slot becomes no run.
   *
   * @param reason the kind of it
   * @param by the name of the calendar or quiet hours, if one decided it
   * @param because why, in words
   */
  public record Obstacle(Reason reason, Optional<String> by, String because) {
    /** Return why the run of a slot is dropped. */
    public static Obstacle of(Due.Dropped dropped) {
      Reason reason =
          switch (dropped.policy()) {
            case CALENDAR -> Reason.CALENDAR;
            case QUIET_HOURS -> Reason.QUIET_HOURS;
          };
      return new Obstacle(reason, Optional.of(dropped.by()), dropped.because());
    }

    /** Return the reason as a word, and by what. */
    String why() {
      String word = reason.name().toLowerCase(Locale.ROOT);
      return by.map(name -> word + ": " + name).orElse(word);
    }
  }

  public SlotDue {
    moves = List.copyOf(moves);
  }

  boolean runs() {
    return obstacle.isEmpty();
  }
}
