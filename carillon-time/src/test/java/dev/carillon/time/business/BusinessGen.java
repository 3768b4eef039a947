package dev.carillon.time.business;

import dev.carillon.fixture.Gen;
import dev.carillon.time.InvalidValueException;
import dev.carillon.time.Timing;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A source of random calendars, quiet hours and timings by them. */
@SuppressWarnings("exports") // of tests, for tests
public final class BusinessGen extends Gen {
  /* With gaps at midnight and before it, half an hour, and a date that was skipped. */
  private static final List<ZoneId> ZONES =
      List.of(
              "Europe/Rome",
              "America/New_York",
              "Asia/Riyadh",
              "Pacific/Apia",
              "America/Nuuk",
              "Africa/Cairo",
              "Asia/Beirut",
              "Australia/Lord_Howe",
              "America/Sao_Paulo",
              "Asia/Kolkata",
              "UTC")
          .stream()
          .map(ZoneId::of)
          .toList();

  /* Making one takes a while. */
  private static final int CALENDARS = 400;
  private static final ConcurrentHashMap<Integer, BusinessCalendar> MADE =
      new ConcurrentHashMap<>();

  public BusinessGen(long seed) {
    super(seed);
  }

  ZoneId zone() {
    return oneOf(ZONES);
  }

  LocalDate date() {
    return LocalDate.of(number(2000, 2039), 1, 1).plusDays(number(0, 365));
  }

  /** Return an instant from 2000 to 2040, often near a clock change of {@code zone}. */
  Instant instant(ZoneId zone) {
    Instant any =
        percent(90)
            ? instant()
            : Instant.ofEpochSecond(number(157_766_400L, 7_100_000_000L)); // 1975 to 2194
    ZoneOffsetTransition change = zone.getRules().nextTransition(any);
    return change == null || percent(50)
        ? any
        : change.getInstant().plusSeconds(number(-100_000, 100_000));
  }

  public BusinessCalendar calendar() {
    return MADE.computeIfAbsent(number(0, CALENDARS - 1), seed -> new BusinessGen(seed).make());
  }

  private BusinessCalendar make() {
    if (percent(10)) {
      return BusinessCalendar.combined("both", List.of(calendarWith(zone()), calendarWith(zone())));
    }
    return calendarWith(zone());
  }

  private BusinessCalendar calendarWith(ZoneId zone) {
    while (true) {
      try {
        return builder(zone).build();
      } catch (InvalidValueException e) {
        // such as a half day on a holiday: another one
      }
    }
  }

  private BusinessCalendarBuilder builder(ZoneId zone) {
    var calendar = BusinessCalendar.named("c" + number(1, 99), zone);
    calendar.weekend(weekend());
    if (percent(60)) {
      calendar.hours(EnumSet.allOf(DayOfWeek.class), hours());
    }
    for (int left = number(0, 200); left > 0; left--) {
      LocalDate date = date();
      int length = percent(5) ? number(5, 40) : 1;
      for (int day = 0; day < length; day++) {
        calendar.holiday(date.plusDays(day), "holiday");
      }
    }
    for (int left = number(0, 12); left > 0; left--) {
      calendar.holiday(MonthDay.from(date()), "every year");
    }
    for (int left = number(0, 10); left > 0; left--) {
      calendar.extraWorkingDay(date(), "extra");
    }
    if (percent(30)) {
      calendar.halfDay(date(), "half", LocalTime.of(12, 0));
    }
    return calendar;
  }

  private Set<DayOfWeek> weekend() {
    return oneOf(
        Set.of(DayOfWeek.SATURDAY, DayOfWeek.SUNDAY),
        Set.of(DayOfWeek.SATURDAY, DayOfWeek.SUNDAY),
        Set.of(DayOfWeek.FRIDAY, DayOfWeek.SATURDAY),
        Set.of(DayOfWeek.SUNDAY),
        Set.of(),
        EnumSet.complementOf(EnumSet.of(DayOfWeek.WEDNESDAY)));
  }

  private List<HourSpan> hours() {
    List<String> spans =
        oneOf(
            List.of("09:00-17:00"),
            List.of("09:00-12:00", "13:00-17:30"),
            List.of("22:00-06:00"),
            List.of("01:00-02:30", "22:30-01:00"),
            List.of("00:00-24:00"),
            List.of("02:00-03:00"),
            List.of("00:00-00:30", "23:00-24:00"));
    return spans.stream().map(HourSpan::parse).toList();
  }

  public CalendarRule rule() {
    BusinessCalendar calendar = calendar();
    return new CalendarRule(
        calendar,
        oneOf(Roll.values()),
        percent(60) ? 0 : number(-5, 5),
        oneOf(OutsideHours.values()),
        percent(70) ? calendar.zone() : zone());
  }

  public QuietHours quietHours() {
    while (true) {
      try {
        var windows = new ArrayList<QuietWindow>();
        for (int left = number(0, 3); left > 0; left--) {
          windows.add(new QuietWindow(days(), span()));
        }
        var freezes = new ArrayList<Freeze>();
        for (int left = percent(50) ? number(0, 3) : 0; left > 0; left--) {
          Instant from = instant().truncatedTo(ChronoUnit.SECONDS);
          Duration most = percent(80) ? Duration.ofDays(2) : Duration.ofDays(100);
          freezes.add(new Freeze(from, from.plus(upTo(most)).plusSeconds(1), "migration"));
        }
        return new QuietHours(
            "q" + number(1, 99), zone(), windows, freezes, oneOf(QuietAction.values()));
      } catch (InvalidValueException e) {
        // always quiet: another one
      }
    }
  }

  private Set<DayOfWeek> days() {
    var days = EnumSet.noneOf(DayOfWeek.class);
    for (DayOfWeek day : DayOfWeek.values()) {
      if (percent(50)) {
        days.add(day);
      }
    }
    return days.isEmpty() ? EnumSet.allOf(DayOfWeek.class) : days;
  }

  private HourSpan span() {
    return HourSpan.parse(
        oneOf(
            "22:00-07:00",
            "00:00-24:00",
            "12:00-13:00",
            "02:00-03:00",
            "01:30-02:30",
            "23:00-00:00",
            "00:00-00:30",
            "18:00-08:00",
            "07:00-06:59"));
  }

  /** Return an instant that is often in or near these quiet hours. */
  public Instant instantNear(QuietHours hours) {
    return hours.freezes().isEmpty() || percent(50)
        ? instant(hours.zone())
        : oneOf(hours.freezes()).from().plusSeconds(number(-200_000, 200_000));
  }

  public Optional<CalendarRule> maybeRule() {
    return percent(80) ? Optional.of(rule()) : Optional.empty();
  }

  /** Return one of the timings that follow a calendar. */
  public Timing timing() {
    BusinessCalendar calendar = calendar();
    ZoneId zone = percent(50) ? calendar.zone() : zone();
    LocalTime time = LocalTime.of(number(0, 23), oneOf(0, 30, number(0, 59)));
    return switch (number(0, 5)) {
      case 0 -> new BusinessDayAfter(calendar, date(), oneOf(1, -1, 7, -400), time, zone);
      case 1, 2 ->
          new BusinessDayOfMonth(
              calendar, oneOf(1, -1, 2, -3, number(1, 31), number(-31, -1)), time, zone);
      default ->
          new WorkingHoursEdge(
              calendar,
              oneOf(WorkingHoursEdge.Edge.values()),
              percent(40) ? Duration.ZERO : Duration.ofMinutes(number(-10_000, 10_000)));
    };
  }
}
