package dev.carillon.plan;

import dev.carillon.model.RunId;
import java.util.Optional;

/**
 * Where runs go one at a time.
 *
 * @param id its number
 * @param holder the run that has started and is not finished
 * @param firm whether the holder makes way for no other, because a caller asked for it
 * @param waiting how many runs wait for it to end, without those that wait as long as it takes
 */
public record Lane(long id, Optional<RunId> holder, boolean firm, int waiting) {
  /** Describe a lane whose holder makes way. */
  public Lane(long id, Optional<RunId> holder, int waiting) {
    this(id, holder, false, waiting);
  }
}
