package dev.carillon.store.calendar;

import dev.carillon.time.Due;
import dev.carillon.time.DueRule;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** A rule that keeps its last answers: schedules that share a calendar mostly share slots. */
final class CachedDueRule implements DueRule {
  private static final int SIZE = 256;

  private final DueRule rule;
  private final AtomicReferenceArray<Answer> answers = new AtomicReferenceArray<>(SIZE);

  private record Answer(Instant slot, Due due) {}

  CachedDueRule(DueRule rule) {
    this.rule = rule;
  }

  @Override
  public Due due(Instant slot) {
    int place = (int) Long.remainderUnsigned((slot.getEpochSecond() * 0x9E37_79B9L) >>> 20, SIZE);
    Answer known = answers.getAcquire(place);
    if (known == null || !known.slot.equals(slot)) {
      known = new Answer(slot, rule.due(slot));
      answers.setRelease(place, known);
    }
    return known.due;
  }

  @Override
  public Instant named(Instant slot) {
    return rule.named(slot);
  }

  @Override
  public Duration maxAdvance() {
    return rule.maxAdvance();
  }

  @Override
  public Duration maxDelay() {
    return rule.maxDelay();
  }

  @Override
  public boolean mayBeDueAfter(Instant at) {
    return rule.mayBeDueAfter(at);
  }

  @Override
  public boolean allows(Instant at) {
    return rule.allows(at);
  }

  @Override
  public Optional<HeldBack> heldBack(Instant at) {
    return rule.heldBack(at);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CachedDueRule that && rule.equals(that.rule);
  }

  @Override
  public int hashCode() {
    return rule.hashCode();
  }

  @Override
  public String toString() {
    return rule.toString();
  }
}
