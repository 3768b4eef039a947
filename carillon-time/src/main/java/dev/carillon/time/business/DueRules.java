package dev.carillon.time.business;

import dev.carillon.time.Due;
import dev.carillon.time.DueRule;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

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
   * Return the rule that first lets slots of {@code timing} be due when its calendar says, then
   * applies the calendar and the quiet hours of the schedule. Without a calendar of the schedule,
   * that of the timing judges what quiet hours put off to a day that is no business day.
   */
  public static DueRule of(
      CalendarTimingRule timing, Optional<CalendarRule> calendar, List<QuietHours> quietHours) {
    if (quietHours.isEmpty()) {
      return calendar.<DueRule>map(rule -> new ByTiming(timing, rule, rule::due)).orElse(timing);
    }
    var quiet = new QuietHoursRule(quietHours);
    if (calendar.isPresent()) {
      var both = new Both(calendar.get(), quiet);
      return new ByTiming(timing, both, both::due);
    }
    ZoneId zone = timing.timing().zone().orElse(timing.calendar().zone());
    var settling = CalendarRule.of(timing.calendar(), Roll.FOLLOWING).withZone(zone);
    var both = new Both(settling, quiet);
    return new ByTiming(timing, both, both::quieted);
  }

  /**
   * A timing by a calendar, and what comes after it.
   *
   * @param timing says when slots are due
   * @param rest tells how far it moves that
   * @param then moves that
   */
  private record ByTiming(CalendarTimingRule timing, DueRule rest, Function<Due.At, Due> then)
      implements DueRule {
    @Override
    public Due due(Instant slot) {
      Due due = timing.due(slot);
      return due instanceof Due.At at ? then.apply(at) : due;
    }

    @Override
    public Instant named(Instant slot) {
      return timing.named(slot);
    }

    @Override
    public boolean allows(Instant at) {
      return timing.allows(at) && rest.allows(at);
    }

    @Override
    public Optional<HeldBack> heldBack(Instant at) {
      return rest.heldBack(at);
    }

    @Override
    public Duration maxAdvance() {
      return timing.maxAdvance().plus(rest.maxAdvance());
    }

    @Override
    public Duration maxDelay() {
      return timing.maxDelay().plus(rest.maxDelay());
    }

    /* The function is made of the rule. */
    @Override
    public boolean equals(Object other) {
      return other instanceof ByTiming that && timing.equals(that.timing) && rest.equals(that.rest);
    }

    @Override
    public int hashCode() {
      return 31 * timing.hashCode() + rest.hashCode();
    }
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
      return due(Due.at(slot));
    }

    Due due(Due.At before) {
      Due due = calendar.due(before);
      return due instanceof Due.At ? outsideOfQuietHours(due, before.at().plus(maxDelay)) : due;
    }

    /** Judge a time that the calendar need not judge first. */
    Due quieted(Due.At before) {
      return outsideOfQuietHours(before, before.at().plus(maxDelay));
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
