package dev.carillon.time.business;

import dev.carillon.time.Due;
import dev.carillon.time.DueRule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Puts a calendar and quiet hours together. */
public final class DueRules {
  private DueRules() {}

  /**
   * Return the rule that applies the calendar, then the quiet hours. If quiet hours put a run off
   * to a time that is no business time, the calendar judges it again: with {@link Roll#SKIP} or
   * {@link OutsideHours#SKIP} it is dropped, else it goes on to the next business time, and so on
   * until it is business time outside of quiet hours. Offsets are added once.
   */
  public static DueRule of(Optional<CalendarRule> calendar, List<QuietHours> quietHours) {
    if (quietHours.isEmpty()) {
      return calendar.<DueRule>map(rule -> rule).orElse(DueRule.NONE);
    }
    var quiet = new QuietHoursRule(quietHours);
    return calendar.<DueRule>map(rule -> new Both(rule, quiet)).orElse(quiet);
  }

  /**
   * A calendar and quiet hours.
   *
   * @param calendar judges first
   * @param quiet judges what the calendar says
   * @param maxDelay after which a run is given up
   */
  private record Both(CalendarRule calendar, QuietHoursRule quiet, Duration maxDelay)
      implements DueRule {
    /* So often quiet hours and days off may follow one another before a run is given up. */
    private static final int ROUNDS = 3;

    Both(CalendarRule calendar, QuietHoursRule quiet) {
      this(
          calendar,
          quiet,
          calendar
              .maxDelay()
              .plus(quiet.maxDelay().plus(calendar.maxSettleDelay()).multipliedBy(ROUNDS)));
    }

    @Override
    public Due due(Instant slot) {
      Due due = calendar.due(slot);
      return due instanceof Due.At ? outsideOfQuietHours(due, slot.plus(maxDelay)) : due;
    }

    private Due outsideOfQuietHours(Due first, Instant latest) {
      Due due = first;
      while (due instanceof Due.At business) {
        due = quiet.apply(business);
        if (!(due instanceof Due.At free) || free.at().equals(business.at())) {
          return due;
        }
        if (free.at().isAfter(latest)) {
          return tooLate(free);
        }
        due = calendar.settle(free);
        if (due instanceof Due.At settled) {
          if (settled.at().equals(free.at())) {
            return due;
          }
          if (settled.at().isAfter(latest)) {
            return tooLate(settled);
          }
        }
      }
      return due;
    }

    @Override
    public boolean allows(Instant at) {
      return calendar.allows(at) && quiet.allows(at);
    }

    @Override
    public Optional<HeldBack> heldBack(Instant at) {
      return quiet
          .heldBack(at)
          .map(held -> new HeldBack(inBusinessTime(held.due(), at), held.together()));
    }

    private Due inBusinessTime(Due heldBack, Instant at) {
      if (!(heldBack instanceof Due.At free)) {
        return heldBack;
      }
      Due due = calendar.settle(free);
      return due instanceof Due.At settled && !settled.at().equals(free.at())
          ? outsideOfQuietHours(due, at.plus(maxDelay))
          : due;
    }

    private Due tooLate(Due.At due) {
      String names = String.join(", ", quiet.all().stream().map(QuietHours::name).toList());
      return new Due.Dropped(
          Due.Policy.QUIET_HOURS,
          names,
          "calendar %s has no business time outside of quiet hours by %s"
              .formatted(calendar.calendar().name(), due.at()));
    }

    @Override
    public Duration maxAdvance() {
      return calendar.maxAdvance();
    }
  }
}
