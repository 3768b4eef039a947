package dev.carillon.model;

import dev.carillon.policy.QuietScope;
import dev.carillon.time.business.QuietHours;

/**
 * Quiet hours, and who keeps them.
 *
 * @param hours when nothing should run, and what becomes of what would
 * @param scope which schedules keep them; those that name them always do
 */
public record QuietPolicy(QuietHours hours, QuietScope scope) {
  /** Tell whether schedules with {@code definition} keep these quiet hours. */
  public boolean appliesTo(Definition definition) {
    return definition.quietHours().filter(hours.name()::equals).isPresent()
        || switch (scope.kind()) {
          case NAMED -> false;
          case TAG -> scope.tag().filter(definition.tags()::contains).isPresent();
          case EVERYTHING -> true;
        };
  }
}
