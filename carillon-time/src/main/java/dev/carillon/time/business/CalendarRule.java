package dev.carillon.time.business;

import dev.carillon.time.Due;
import dev.carillon.time.DueRule;
import dev.carillon.time.InvalidValueException;
import dev.carillon.time.Zones;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Moves due times to business time, or drops slots that are not in it.
 *
 * <p>First the date that the slot has in the zone of the calendar is rolled to a business day, then
 * {@code offset} business days are added, then working hours are looked at. The time of day stays,
 * as it is in {@code zone}: at a skipped local time it is the end of the gap, at a repeated one the
 * first. Where zone and calendar differ so that the same time of day would be on another date of
 * the calendar, the time of day in the calendar's zone stays.
 *
 * <p>If working hours are looked at, a slot in working time is not rolled: at 02:00 on Saturday it
 * may be in the night shift of Friday.
 *
 * @param calendar the business days and working hours
 * @param roll what becomes of slots on other days
 * @param offset how many business days later the run is due; earlier if negative
 * @param outsideHours what becomes of due times outside of working hours
 * @param zone whose time of day stays: that of the timing
 */
public record CalendarRule(
    BusinessCalendar calendar, Roll roll, int offset, OutsideHours outsideHours, ZoneId zone)
    implements DueRule {
  /** The largest offset accepted, in both directions. */
  public static final int MAX_OFFSET = 250;

  public CalendarRule {
    if (offset < -MAX_OFFSET || offset > MAX_OFFSET) {
      throw new InvalidValueException(
          "offset",
          "offset must be from -%s to %s business days; was %s"
              .formatted(MAX_OFFSET, MAX_OFFSET, offset));
    }
    Zones.check(zone);
  }

  /** Roll by {@code roll}, at the time of day in the calendar's zone, at any hour. */
  public static CalendarRule of(BusinessCalendar calendar, Roll roll) {
    return new CalendarRule(calendar, roll, 0, OutsideHours.ALLOW, calendar.zone());
  }

  /** Return this rule with another offset in business days. */
  public CalendarRule withOffset(int days) {
    return new CalendarRule(calendar, roll, days, outsideHours, zone);
  }

  /** Return this rule with another answer to due times outside of working hours. */
  public CalendarRule withOutsideHours(OutsideHours answer) {
    return new CalendarRule(calendar, roll, offset, answer, zone);
  }

  /** Return this rule with the time of day of another zone. */
  public CalendarRule withZone(ZoneId timeOfDay) {
    return new CalendarRule(calendar, roll, offset, outsideHours, timeOfDay);
  }

  @Override
  public Due due(Instant slot) {
    return due(Due.at(slot));
  }

  Due due(Due.At before) {
    return apply(before, roll, offset);
  }

  /**
   * Judge a due time that came from quiet hours: by the same rule, but only ever later, and without
   * adding the offset again.
   */
  Due settle(Due.At before) {
    return apply(before, roll == Roll.SKIP ? Roll.SKIP : Roll.FOLLOWING, 0);
  }

  private Due apply(Due.At before, Roll direction, int steps) {
    boolean judgesHours = outsideHours != OutsideHours.ALLOW;
    BusinessDays days = calendar.days();
    Instant from = before.at();
    long day = calendar.dayOf(from);
    long base = day;
    if (judgesHours && calendar.hasHours()) {
      Optional<LocalDate> worked = calendar.workingDay(from);
      if (worked.isPresent() && steps == 0) {
        return before;
      }
      base = worked.map(LocalDate::toEpochDay).orElse(day);
    }
    long rolled = direction.apply(days, base);
    if (rolled == BusinessDays.NONE) {
      return dropped(calendar.because(LocalDate.ofEpochDay(clamped(base))));
    }
    long target = days.plus(rolled, steps);
    if (target == BusinessDays.NONE) {
      return dropped(
          "there are no %s business days %s %s"
              .formatted(
                  Math.abs(steps), steps < 0 ? "before" : "after", LocalDate.ofEpochDay(rolled)));
    }
    Due.At due = before;
    if (target != base) {
      Instant to = moved(from, target - base);
      due = Due.moved(before, move(to, because(base, rolled, steps)));
    }
    return judgesHours ? inHours(due) : due;
  }

  private Due inHours(Due.At due) {
    if (calendar.isWorkingTime(due.at())) {
      return due;
    }
    String because = outside(due.at());
    if (outsideHours == OutsideHours.SKIP) {
      return dropped(because);
    }
    return calendar
        .nextOpening(due.at())
        .<Due>map(opening -> Due.moved(due, move(opening, because)))
        .orElseGet(() -> dropped(because));
  }

  /* The same time of day, as many days later, on that date of the calendar. */
  private Instant moved(Instant from, long daysLater) {
    long date = calendar.dayOf(from) + daysLater;
    Instant kept = Zones.instant(local(from, zone).plusDays(daysLater), zone);
    if (calendar.dayOf(kept) == date) {
      return kept;
    }
    kept = Zones.instant(local(from, calendar.zone()).plusDays(daysLater), calendar.zone());
    return calendar.dayOf(kept) == date ? kept : lastSecondOf(date);
  }

  private static LocalDateTime local(Instant instant, ZoneId zone) {
    return LocalDateTime.ofInstant(instant, zone);
  }

  /* For times of day that the clocks skip at the end of a day. */
  private Instant lastSecondOf(long date) {
    LocalDateTime midnight = LocalDate.ofEpochDay(date + 1).atStartOfDay();
    return Zones.instant(midnight, calendar.zone()).minusSeconds(1);
  }

  private String because(long base, long rolled, int steps) {
    String off = base == rolled ? "" : calendar.because(LocalDate.ofEpochDay(base));
    String later =
        steps == 0
            ? ""
            : Math.abs(steps)
                + (Math.abs(steps) == 1 ? " business day" : " business days")
                + (steps < 0 ? " earlier" : " later");
    return off.isEmpty() || later.isEmpty() ? off + later : off + ", and " + later;
  }

  private String outside(Instant at) {
    LocalDateTime local = local(at, calendar.zone());
    LocalTime time = local.toLocalTime().truncatedTo(ChronoUnit.SECONDS);
    Day day = calendar.day(local.toLocalDate());
    if (!day.isBusiness()) {
      return calendar.because(local.toLocalDate());
    }
    String hours =
        calendar.hoursOn(local.toLocalDate()).stream()
            .map(HourSpan::toString)
            .collect(Collectors.joining(" and "));
    String of = day.kind() == Day.Kind.BUSINESS ? "" : " of " + local.toLocalDate();
    return time + " is outside working hours " + hours + of;
  }

  private Due.Move move(Instant to, String because) {
    return new Due.Move(to, Due.Policy.CALENDAR, calendar.name(), because);
  }

  private Due.Dropped dropped(String because) {
    return new Due.Dropped(Due.Policy.CALENDAR, calendar.name(), because);
  }

  private static long clamped(long day) {
    return Math.max(-365_000_000L, Math.min(day, 365_000_000L));
  }

  @Override
  public boolean allows(Instant at) {
    return outsideHours == OutsideHours.ALLOW
        ? calendar.days().contains(calendar.dayOf(at))
        : calendar.isWorkingTime(at);
  }

  /* Days off before a business day end before it. Where the clocks are set back after midnight, the
   * next day has begun before. */
  @Override
  public boolean mayBeDueAfter(Instant at) {
    long day = calendar.dayOf(at);
    BusinessDays days = calendar.days();
    boolean amongBusinessDays =
        days.contains(day - 1) && days.contains(day) && days.contains(day + 1);
    boolean rollsOnly = offset == 0 && outsideHours == OutsideHours.ALLOW;
    return !(rollsOnly && amongBusinessDays) && !maxDelay().isZero();
  }

  @Override
  public Duration maxAdvance() {
    int back =
        switch (roll) {
          case SKIP, FOLLOWING -> 0;
          case MODIFIED_FOLLOWING, PRECEDING, MODIFIED_PRECEDING -> daysOff();
          case NEAREST -> daysOff() / 2;
        };
    int earlier = offset < 0 ? calendar.days().longestSteps(-offset) : -offset;
    return inTime(Math.max(0, back + earlier));
  }

  @Override
  public Duration maxDelay() {
    int forward =
        switch (roll) {
          case SKIP, PRECEDING -> 0;
          case MODIFIED_FOLLOWING, FOLLOWING, MODIFIED_PRECEDING -> daysOff();
          case NEAREST -> (daysOff() + 1) / 2;
        };
    int later = offset > 0 ? calendar.days().longestSteps(offset) : offset;
    Duration byDays = inTime(Math.max(0, forward + later));
    return outsideHours == OutsideHours.DEFER ? byDays.plus(calendar.longestClosure()) : byDays;
  }

  /** Return the longest delay of {@link #settle}. */
  Duration maxSettleDelay() {
    return new CalendarRule(
            calendar, roll == Roll.SKIP ? Roll.SKIP : Roll.FOLLOWING, 0, outsideHours, zone)
        .maxDelay();
  }

  private int daysOff() {
    return calendar.days().longestDaysOff();
  }

  private Duration inTime(int days) {
    Duration one = ZoneChanges.of(zone).spread();
    Duration other = ZoneChanges.of(calendar.zone()).spread();
    return days == 0
        ? Duration.ZERO
        : Duration.ofDays(days).plus(one.compareTo(other) > 0 ? one : other);
  }

  @Override
  public String toString() {
    return "%s %s%+d, outside hours %s, %s"
        .formatted(calendar.name(), roll, offset, outsideHours, zone);
  }
}
