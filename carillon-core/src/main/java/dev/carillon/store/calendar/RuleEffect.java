package dev.carillon.store.calendar;

import dev.carillon.model.RuleUse;
import dev.carillon.model.SlotShift;
import java.time.Instant;
import java.util.Collection;

/** What follows from a change of a calendar or of quiet hours, in the transaction that makes it. */
@FunctionalInterface
public interface RuleEffect {
  /**
   * Have the schedules of {@code uses} planned anew, and tell what changes for them.
   *
   * @param before what held before the change
   * @param after what holds from now on
   */
  SlotShift changed(RuleBook before, RuleBook after, Collection<RuleUse> uses, Instant now);
}
