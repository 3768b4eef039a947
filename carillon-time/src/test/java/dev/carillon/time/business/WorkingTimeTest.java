package dev.carillon.time.business;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkingTimeTest {
  private static final ZoneId ROME = ZoneId.of("Europe/Rome");
  private static final BusinessCalendar OFFICE =
      BusinessCalendar.named("office", ROME)
          .weekdayHours("09:00-17:00")
          .holiday(LocalDate.parse("2027-03-29"), "Easter Monday")
          .halfDay(LocalDate.parse("2027-12-24"), "Christmas Eve", LocalTime.NOON)
          .build();
  private static final BusinessCalendar PLANT =
      BusinessCalendar.named("plant", ROME)
          .weekend()
          .hours(EnumSet.allOf(DayOfWeek.class), List.of(HourSpan.of("22:00", "06:00")))
          .build();
  private static final BusinessCalendar DAYS =
      BusinessCalendar.named("days", ROME)
          .holiday(LocalDate.parse("2027-03-29"), "Easter Monday")
          .build();

  @ParameterizedTest
  @CsvSource({
    "office, 2027-04-09T15:00, PT8H,  2027-04-12T15:00", // Friday to Monday
    "office, 2027-04-09T09:00, PT8H,  2027-04-09T17:00", // the end, not Monday morning
    "office, 2027-04-09T17:00, PT1H,  2027-04-12T10:00",
    "office, 2027-04-10T12:00, PT1S,  2027-04-12T09:00:01",
    "office, 2027-04-09T20:00, PT0S,  2027-04-09T20:00",
    "office, 2027-03-26T16:00, PT2H,  2027-03-30T10:00", // over Easter and a clock change
    "office, 2027-12-24T11:00, PT2H,  2027-12-27T10:00", // a half day
    "office, 2027-04-09T15:00, PT40H, 2027-04-16T15:00",
    "plant,  2027-03-27T22:00, PT7H,  2027-03-28T06:00", // the night is an hour shorter
    "plant,  2027-03-27T22:00, PT8H,  2027-03-28T23:00",
    "plant,  2027-10-30T22:00, PT9H,  2027-10-31T06:00", // an hour longer
    "plant,  2027-04-10T02:00, PT6H,  2027-04-11T00:00",
    "days,   2027-03-26T12:00, PT24H, 2027-03-30T12:00",
    "days,   2027-04-09T18:00, PT8H,  2027-04-12T02:00",
  })
  void working_time_is_added(
      String calendar, LocalDateTime start, Duration duration, LocalDateTime end) {
    assertThat(local(WorkingTime.plus(named(calendar), instant(start), duration))).isEqualTo(end);
  }

  @ParameterizedTest
  @CsvSource({
    "office, 2027-04-09T15:00, PT8H,  P4D, 2027-04-12T15:00",
    "office, 2027-04-09T15:00, PT8H,  P3D, 2027-04-12T15:00",
    "office, 2027-04-09T15:00, PT8H,  P2D, 2027-04-11T15:00",
    "office, 2027-04-09T15:00, PT8H,  PT71H, 2027-04-12T14:00",
    "office, 2027-04-09T15:00, PT0S,  P2D, 2027-04-09T15:00",
    "office, 2027-04-09T15:00, P3660D, P365D, 2028-04-08T15:00",
  })
  void working_time_is_added_up_to_a_longest_time(
      String calendar,
      LocalDateTime start,
      Duration duration,
      Duration longest,
      LocalDateTime end) {
    assertThat(local(WorkingTime.plus(named(calendar), instant(start), duration, longest)))
        .isEqualTo(end);
  }

  @ParameterizedTest
  @CsvSource({
    "office, 2027-04-12T15:00, PT8H, 2027-04-09T15:00",
    "office, 2027-04-12T17:00, PT8H, 2027-04-12T09:00", // the beginning, not Friday evening
    "office, 2027-04-12T08:00, PT1H, 2027-04-09T16:00",
    "office, 2027-03-30T10:00, PT2H, 2027-03-26T16:00",
    "office, 2027-12-27T10:00, PT2H, 2027-12-24T11:00",
    "plant,  2027-03-28T06:00, PT7H, 2027-03-27T22:00",
    "plant,  2027-10-31T06:00, PT9H, 2027-10-30T22:00",
  })
  void working_time_is_subtracted(
      String calendar, LocalDateTime end, Duration duration, LocalDateTime start) {
    assertThat(local(WorkingTime.minus(named(calendar), instant(end), duration))).isEqualTo(start);
  }

  @ParameterizedTest
  @CsvSource({
    "office, 2027-04-05T00:00, 2027-04-12T00:00, PT40H",
    "office, 2027-03-29T00:00, 2027-04-05T00:00, PT32H",
    "office, 2027-12-20T00:00, 2027-12-27T00:00, PT35H", // with a half day of three hours
    "office, 2027-04-10T00:00, 2027-04-11T23:00, PT0S",
    "plant,  2027-10-30T12:00, 2027-10-31T12:00, PT9H",
    "plant,  2027-04-10T05:00, 2027-04-10T23:00, PT2H",
    "days,   2027-03-27T00:00, 2027-03-31T00:00, PT24H",
  })
  void working_time_between_is_counted(
      String calendar, LocalDateTime start, LocalDateTime end, Duration duration) {
    assertThat(WorkingTime.between(named(calendar), instant(start), instant(end)))
        .isEqualTo(duration);
  }

  @Test
  void all_of_230_years_can_be_counted() {
    assertThat(WorkingTime.between(OFFICE, Instant.MIN, Instant.MAX))
        .isBetween(Duration.ofHours(8 * 59_000), Duration.ofHours(8 * 61_000));
  }

  private static BusinessCalendar named(String name) {
    return List.of(OFFICE, PLANT, DAYS).stream()
        .filter(calendar -> calendar.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static Instant instant(LocalDateTime local) {
    return local.atZone(ROME).toInstant();
  }

  private static LocalDateTime local(Instant instant) {
    return LocalDateTime.ofInstant(instant, ROME);
  }
}
