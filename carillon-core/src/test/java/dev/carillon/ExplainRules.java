package dev.carillon;

import dev.carillon.fixture.Gen;
import dev.carillon.model.CalendarDefinition;
import dev.carillon.model.QuietHoursDefinition;
import dev.carillon.policy.CalendarPolicy;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.time.business.BusinessCalendar;
import dev.carillon.time.business.BusinessCalendarBuilder;
import dev.carillon.time.business.OutsideHours;
import dev.carillon.time.business.QuietAction;
import dev.carillon.time.business.QuietHours;
import dev.carillon.time.business.QuietWindow;
import dev.carillon.time.business.Roll;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;

/**
 * The calendars and quiet hours of a world: some that schedules name, some of a tag, some of
 * everything; and people who change, delete, freeze and thaw them.
 */
final class ExplainRules {
  static final String TAG = "loud";
  private static final List<String> NAMES = List.of("bank", "gulf", "both");
  private static final ZoneId UTC = ZoneId.of("UTC");
  private static final ZoneId ROME = ZoneId.of("Europe/Rome");

  private final Gen any;
  private final ManualCarillon node;

  ExplainRules(Gen any, ManualCarillon node, Instant now) {
    this.any = any;
    this.node = node;
    saveCalendar("bank", now);
    saveCalendar("gulf", now);
    calendars().save(CalendarDefinition.combining("both", "bank", "gulf"), "");
    quietHours().save(QuietHoursDefinition.of(night()), "");
  }

  private Calendars calendars() {
    return node.carillon().calendars().as("keeper");
  }

  private QuietHoursPolicies quietHours() {
    return node.carillon().quietHours().as("keeper");
  }

  /** Let a schedule follow a calendar, keep quiet hours, or have the tag of some. */
  ScheduleDraft ruled(ScheduleDraft draft) {
    ScheduleDraft ruled = draft;
    if (any.percent(45)) {
      CalendarPolicy policy = CalendarPolicy.of(any.oneOf(NAMES), any.oneOf(Roll.values()));
      policy = any.percent(25) ? policy.offset(any.number(-2, 2)) : policy;
      ruled =
          ruled.calendar(
              any.percent(40) ? policy.outsideHours(any.oneOf(OutsideHours.values())) : policy);
    }
    ruled = any.percent(20) ? ruled.quietHours("night") : ruled;
    return any.percent(25) ? ruled.tags(TAG) : ruled;
  }

  /** Let a calendar decide when a schedule fires. */
  ScheduleDraft timed(ScheduleDraft draft) {
    Duration offset = Duration.ofMinutes(any.number(-300, 300));
    LocalTime time = LocalTime.of(any.number(0, 23), any.oneOf(0, 30));
    return switch (any.number(0, 3)) {
      case 0 ->
          draft.businessDayOfMonth(any.oneOf(1, 3, 9, 14, -1, -2, -8), time, any.oneOf(NAMES));
      case 1 -> draft.whenHoursClose("bank", offset);
      default -> draft.whenHoursOpen("bank", offset);
    };
  }

  /** Change a calendar or quiet hours, or nothing. */
  void act(Instant now) {
    int what = any.number(0, 99);
    if (what < 15) {
      saveCalendar(any.oneOf("bank", "gulf"), now);
    } else if (what < 25) {
      quietHours().save(QuietHoursDefinition.of(night()), "other nights");
    } else if (what < 38) {
      quietHours().save(QuietHoursDefinition.ofTags(noon("noon"), TAG), "");
    } else if (what < 44) {
      quietHours().save(QuietHoursDefinition.ofEverything(noon("rest")), "");
    } else if (what < 55) {
      quietHours().delete(any.oneOf("noon", "rest"));
    } else if (what < 63) {
      FreezeDraft freeze =
          FreezeDraft.until(now.plusSeconds(1).plus(any.upTo(Duration.ofHours(20))), "a migration")
              .action(any.oneOf(QuietAction.values()));
      quietHours().freeze(any.percent(50) ? freeze.of(TAG) : freeze);
    } else if (what < 68) {
      quietHours().thaw(any.percent(50) ? List.of(TAG) : List.of());
    } else if (what < 72) {
      calendars().save(BusinessCalendar.named("spare", ROME).build());
    } else if (what < 76) {
      calendars().delete(any.oneOf("spare", "bank")); // who is used stays
    }
  }

  private void saveCalendar(String name, Instant now) {
    LocalDate today = LocalDate.ofInstant(now, ZoneOffset.UTC);
    BusinessCalendarBuilder calendar =
        BusinessCalendar.named(name, name.equals("bank") ? ROME : UTC);
    if (name.equals("gulf")) {
      calendar.weekend(DayOfWeek.FRIDAY, DayOfWeek.SATURDAY);
    } else {
      calendar.weekdayHours("09:00-13:00", any.oneOf("14:00-18:00", "13:30-17:00"));
    }
    for (int i = any.number(0, 4); i > 0; i--) {
      calendar.holiday(today.plusDays(any.number(-3, 25)), "a feast");
    }
    calendars().save(CalendarDefinition.of(calendar.build()), "the feasts of the year");
  }

  private QuietHours night() {
    return new QuietHours(
        "night",
        any.oneOf(ROME, UTC),
        List.of(QuietWindow.daily(any.oneOf("22:00-06:00", "01:00-04:30"))),
        List.of(),
        any.oneOf(QuietAction.values()));
  }

  private QuietHours noon(String name) {
    return new QuietHours(
        name,
        ROME,
        List.of(QuietWindow.daily(any.oneOf("12:30-14:00", "23:00-01:00"))),
        List.of(),
        any.oneOf(QuietAction.values()));
  }
}
