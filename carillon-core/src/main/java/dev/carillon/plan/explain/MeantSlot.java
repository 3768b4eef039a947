package dev.carillon.plan.explain;

import dev.carillon.model.Definition;
import dev.carillon.time.DueRule;
import dev.carillon.time.business.CalendarTiming;
import java.time.Instant;
import java.util.Optional;

/**
 * Finds the slot that stands for an instant where a calendar says which time each slot stands for:
 * who asks about 5 April means the slot of April, whose third business day that is.
 */
final class MeantSlot {
  private MeantSlot() {}

  /** Return the slot; empty if the instant is one itself, or if none stands for it. */
  static Optional<Instant> of(Finding finding) {
    return finding.isSlot() ? Optional.empty() : finding.inForce().flatMap(in -> of(finding, in));
  }

  private static Optional<Instant> of(Finding finding, Definition definition) {
    if (!(definition.timing() instanceof CalendarTiming timing)) {
      return Optional.empty();
    }
    Instant at = finding.at();
    DueRule rule = finding.ruleThen(definition);
    return timing.between(at.minus(timing.maxAfterSlot()), at.plus(timing.maxBeforeSlot())).stream()
        .filter(slot -> rule.named(slot).equals(at))
        .findFirst();
  }
}
