package dev.carillon.time.business;

import dev.carillon.time.Due;
import dev.carillon.time.DueRule;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Lets slots of a timing be due when its calendar says, such as that of May on the third business
 * day of May. A month without a third business day has no run.
 *
 * @param timing whose slots it judges
 * @param calendar the calendar that the timing names
 */
public record CalendarTimingRule(CalendarTiming timing, BusinessCalendar calendar)
    implements DueRule {

  @Override
  public Due due(Instant slot) {
    Optional<Instant> named = timing.named(calendar, slot);
    if (named.isEmpty()) {
      return new Due.Dropped(Due.Policy.CALENDAR, calendar.name(), timing.unnamed(calendar, slot));
    }
    return named.get().equals(slot)
        ? Due.at(slot)
        : Due.moved(
            Due.at(slot),
            new Due.Move(named.get(), Due.Policy.CALENDAR, calendar.name(), timing.named(slot)));
  }

  @Override
  public Instant named(Instant slot) {
    return timing.named(calendar, slot).orElse(slot);
  }

  /* Openings and closings may be named with an offset, which leads out of working hours. */
  @Override
  public boolean allows(Instant at) {
    return timing instanceof OpenOrClose || calendar.days().contains(calendar.dayOf(at));
  }

  @Override
  public Duration maxAdvance() {
    return single().map(distance -> atLeastZero(distance.negated())).orElse(timing.maxBeforeSlot());
  }

  @Override
  public Duration maxDelay() {
    return single().map(CalendarTimingRule::atLeastZero).orElse(timing.maxAfterSlot());
  }

  /* How far the only slot is from what it stands for, if there is only one. */
  private Optional<Duration> single() {
    return timing instanceof BusinessDaysAfter once
        ? Optional.of(Duration.between(once.slot(), named(once.slot())))
        : Optional.empty();
  }

  private static Duration atLeastZero(Duration distance) {
    return distance.isNegative() ? Duration.ZERO : distance;
  }
}
