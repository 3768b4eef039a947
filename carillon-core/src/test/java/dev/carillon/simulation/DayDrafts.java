package dev.carillon.simulation;

import dev.carillon.ScheduleDraft;
import dev.carillon.fixture.Gen;
import dev.carillon.model.CalendarDefinition;
import dev.carillon.model.QuietHoursDefinition;
import dev.carillon.policy.CalendarPolicy;
import dev.carillon.time.Jitter;
import dev.carillon.time.business.BusinessCalendar;
import dev.carillon.time.business.BusinessCalendarBuilder;
import dev.carillon.time.business.Freeze;
import dev.carillon.time.business.OutsideHours;
import dev.carillon.time.business.QuietAction;
import dev.carillon.time.business.QuietHours;
import dev.carillon.time.business.Roll;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;

/** Schedules of some slots a day, with calendars that roll them to other days. */
final class DayDrafts {
  static final String BANK = "bank";
  static final String FEASTS = "feasts";
  static final String BOTH = "both";
  private static final ZoneId UTC = ZoneId.of("UTC");

  private final Gen gen;
  private final Drafts drafts;

  DayDrafts(Gen gen, Drafts drafts) {
    this.gen = gen;
    this.drafts = drafts;
  }

  ScheduleDraft schedule(String key) {
    ScheduleDraft draft =
        ScheduleDraft.named(key)
            .target(gen.oneOf(Drafts.TARGETS))
            .cron(
                gen.oneOf("30 10 * * *", "0 9,17 * * *", "0 */6 * * *", "15 0,12,13 * * *"),
                gen.oneOf("UTC", "Europe/Rome"))
            .overlap(drafts.overlap())
            .catchUp(drafts.catchUp());
    if (gen.percent(25)) {
      Duration amount = Duration.ofMinutes(gen.number(1, 200));
      draft = draft.jitter(gen.percent(50) ? Jitter.around(amount) : Jitter.after(amount));
    }
    draft = gen.percent(40) ? draft.tags(drafts.tags()) : draft;
    draft = gen.percent(15) ? draft.quietHours(Drafts.QUIET) : draft;
    draft = gen.percent(10) ? draft.maxRuns(gen.number(1, 8)) : draft;
    return drafts.strict(gen.percent(80) ? draft.calendar(policy()) : draft);
  }

  private CalendarPolicy policy() {
    CalendarPolicy policy = CalendarPolicy.of(gen.oneOf(BANK, BANK, FEASTS, BOTH), roll());
    policy = gen.percent(30) ? policy.offset(gen.number(-2, 2)) : policy;
    return gen.percent(25) ? policy.outsideHours(gen.oneOf(OutsideHours.values())) : policy;
  }

  private Roll roll() {
    return gen.percent(50)
        ? gen.oneOf(Roll.PRECEDING, Roll.MODIFIED_FOLLOWING, Roll.MODIFIED_PRECEDING)
        : gen.oneOf(Roll.values());
  }

  /** Return a calendar of its own, or the one of two. */
  CalendarDefinition calendar(Instant now) {
    return gen.percent(20)
        ? CalendarDefinition.combining(BOTH, BANK, FEASTS)
        : CalendarDefinition.of(own(gen.percent(70) ? BANK : FEASTS, now));
  }

  List<CalendarDefinition> calendars(Instant now) {
    return List.of(
        CalendarDefinition.of(own(BANK, now)),
        CalendarDefinition.of(own(FEASTS, now)),
        CalendarDefinition.combining(BOTH, BANK, FEASTS));
  }

  private BusinessCalendar own(String name, Instant now) {
    var weekend = new ArrayList<DayOfWeek>();
    for (int left = gen.number(0, 3); left > 0; left--) {
      weekend.add(gen.oneOf(DayOfWeek.values()));
    }
    BusinessCalendarBuilder calendar =
        BusinessCalendar.named(name, UTC)
            .weekend(weekend.stream().distinct().toArray(DayOfWeek[]::new));
    LocalDate today = LocalDate.ofInstant(now, UTC);
    var days = new ArrayList<Integer>();
    for (int left = gen.number(0, 4); left > 0; left--) {
      days.add(gen.number(-3, 9));
    }
    days.stream().distinct().forEach(day -> calendar.holiday(today.plusDays(day), "A feast"));
    if (gen.percent(30)) {
      for (DayOfWeek day : DayOfWeek.values()) {
        calendar.hours(day, gen.oneOf("08:00-16:30", "09:30-12:30", "06:00-18:00"));
      }
    }
    return calendar.build();
  }

  QuietHoursDefinition quietHours(Instant now) {
    Instant from = now.plusSeconds(gen.number(-7_200, 172_800));
    var freeze = new Freeze(from, from.plusSeconds(gen.number(60, 172_800)), "a story");
    var hours =
        new QuietHours(
            gen.percent(50) ? Drafts.QUIET : Drafts.MIGRATION,
            UTC,
            List.of(),
            List.of(freeze),
            gen.oneOf(QuietAction.values()));
    return gen.oneOf(
        QuietHoursDefinition.of(hours),
        QuietHoursDefinition.ofTags(hours, drafts.tags()),
        QuietHoursDefinition.ofEverything(hours));
  }
}
