package dev.carillon.time;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** When the run of a slot is due, or why the slot becomes no run. */
public sealed interface Due {

  /**
   * The run is due at {@code at}.
   *
   * @param at when; the slot itself if nothing moved it
   * @param moves what moved it, in order
   */
  record At(Instant at, List<Move> moves) implements Due {
    public At {
      moves = List.copyOf(moves);
    }
  }

  /**
   * The slot becomes no run.
   *
   * @param policy what decided it
   * @param by the name of the calendar or of the quiet hours
   * @param because why, in words, such as "Easter Monday is a holiday"
   */
  record Dropped(Policy policy, String by, String because) implements Due {}

  /**
   * One change of a due time.
   *
   * @param to the new due time
   * @param policy what changed it
   * @param by the name of the calendar or of the quiet hours
   * @param because why, in words
   */
  record Move(Instant to, Policy policy, String by, String because) {}

  /** What changes due times. */
  enum Policy {
    CALENDAR,
    QUIET_HOURS
  }

  /** Return that the run of {@code slot} is due at the slot. */
  static At at(Instant slot) {
    return new At(slot, List.of());
  }

  /** Return these moves with one more, which decides the due time. */
  static At moved(At before, Move move) {
    var moves = new ArrayList<>(before.moves());
    moves.add(move);
    return new At(move.to(), moves);
  }
}
