package dev.carillon.plan.explain;

import dev.carillon.model.ChangedBy;
import dev.carillon.model.Definition;
import java.time.Instant;
import java.util.Optional;

/**
 * A version of a schedule, as far as the caller may know it.
 *
 * @param number its number, from one
 * @param created by whom and when it was made
 * @param retiredAt when it was replaced, or the schedule retired
 * @param definition what it says; empty if that is outside the caller's scope
 */
public record KnownVersion(
    int number, ChangedBy created, Optional<Instant> retiredAt, Optional<Definition> definition) {

  /** Tell whether it was over before {@code slot}. */
  boolean isOverBefore(Instant slot) {
    return retiredAt.filter(end -> end.isBefore(slot)).isPresent();
  }
}
