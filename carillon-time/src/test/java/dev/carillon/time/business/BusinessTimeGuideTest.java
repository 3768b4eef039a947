package dev.carillon.time.business;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.list;

import dev.carillon.time.Due;
import dev.carillon.time.DueRule;
import dev.carillon.time.Timing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Runs the code of {@code docs/guide/business-time.md} and checks its tables. */
class BusinessTimeGuideTest {
  private static final ZoneId ROME = ZoneId.of("Europe/Rome");
  private static final Path GUIDE = Path.of("../docs/guide/business-time.md");
  private static final String NO_RUN = "no run";

  @Test
  void the_guide_works_as_it_says() {
    BusinessCalendar italy = italy();

    boolean open = italy.isBusinessDay(LocalDate.parse("2027-03-29"));
    String because = italy.day(LocalDate.parse("2027-03-29")).because();
    Optional<LocalDate> settlement = italy.plusBusinessDays(LocalDate.parse("2027-03-25"), 2);

    assertThat(open).isFalse();
    assertThat(because).isEqualTo("2027-03-29 is Easter Monday");
    assertThat(settlement).contains(LocalDate.parse("2027-03-30"));

    CalendarRule calendar =
        CalendarRule.of(italy, Roll.FOLLOWING).withOutsideHours(OutsideHours.DEFER);
    QuietHours night =
        new QuietHours(
            "night",
            ZoneId.of("Europe/Rome"),
            List.of(QuietWindow.daily("22:00-07:00")),
            List.of(
                new Freeze(
                    Instant.parse("2027-06-01T06:00:00Z"),
                    Instant.parse("2027-06-01T18:00:00Z"),
                    "migration")),
            QuietAction.COALESCE);
    DueRule rule = DueRules.of(Optional.of(calendar), List.of(night));

    Due due = rule.due(Instant.parse("2027-06-01T08:00:00Z"));

    assertThat(due)
        .hasFieldOrPropertyWithValue("at", Instant.parse("2027-06-03T07:00:00Z"))
        .extracting("moves")
        .asInstanceOf(list(Due.Move.class))
        .extracting(Due.Move::because)
        .containsExactly(
            "frozen until 2027-06-01T18:00:00Z: migration",
            "20:00 is outside working hours 09:00-13:00 and 14:00-18:00");

    Instant friday = Instant.parse("2027-04-09T14:00:00Z"); // 16:00 in Rome
    Instant done = WorkingTime.plus(italy, friday, Duration.ofHours(8));

    assertThat(done).isEqualTo(Instant.parse("2027-04-12T14:00:00Z"));

    Timing payday = new BusinessDayOfMonth(italy, -1, LocalTime.of(9, 0));
    Timing reminder = new BusinessDayAfter(italy, LocalDate.parse("2027-03-25"), 2, LocalTime.NOON);
    Timing closing =
        new WorkingHoursEdge(italy, WorkingHoursEdge.Edge.CLOSE, Duration.ofMinutes(-30));

    assertThat(payday.next(friday)).contains(Instant.parse("2027-04-30T07:00:00Z"));
    assertThat(reminder.next(Instant.EPOCH)).contains(Instant.parse("2027-03-30T10:00:00Z"));
    assertThat(closing.next(friday)).contains(Instant.parse("2027-04-09T15:30:00Z"));
  }

  private static BusinessCalendar italy() {
    return BusinessCalendar.named("it", ZoneId.of("Europe/Rome"))
        .holiday(MonthDay.of(1, 1), "New Year's Day")
        .holiday(MonthDay.of(5, 1), "Labour Day")
        .holiday(MonthDay.of(6, 2), "Republic Day")
        .holiday(LocalDate.parse("2027-03-29"), "Easter Monday")
        .halfDay(LocalDate.parse("2027-12-24"), "Christmas Eve", LocalTime.of(13, 0))
        .weekdayHours("09:00-13:00", "14:00-18:00")
        .coverageUntil(LocalDate.parse("2027-12-31"))
        .build();
  }

  @Test
  void rolls_are_as_the_table_says() throws IOException {
    List<List<String>> rows = table("| slot | `skip` |");
    assertThat(rows).hasSizeGreaterThan(6);
    List<Roll> rolls =
        rows.get(0).stream()
            .skip(1)
            .map(name -> Roll.valueOf(name.replace("`", "").toUpperCase(Locale.ROOT)))
            .toList();
    assertThat(rolls).containsExactlyInAnyOrder(Roll.values());
    for (List<String> row : rows.subList(1, rows.size())) {
      Instant slot = day(row.get(0)).atTime(10, 0).atZone(ROME).toInstant();
      List<String> due =
          rolls.stream().map(roll -> shown(CalendarRule.of(italy(), roll).due(slot))).toList();

      assertThat(row.subList(1, row.size())).as(row.get(0)).isEqualTo(due);
    }
  }

  /* Such as: Mon 2027-03-29. */
  private static LocalDate day(String text) {
    LocalDate date = LocalDate.parse(text.substring(4, 14));
    assertThat(Weekdays.shortName(date.getDayOfWeek())).isEqualTo(text.substring(0, 3));
    return date;
  }

  private static String shown(Due due) {
    if (!(due instanceof Due.At at)) {
      return NO_RUN;
    }
    LocalDateTime local = LocalDateTime.ofInstant(at.at(), ROME);
    assertThat(local.toLocalTime()).isEqualTo(LocalTime.of(10, 0));
    LocalDate date = local.toLocalDate();
    return "%s %02d-%02d"
        .formatted(
            Weekdays.shortName(date.getDayOfWeek()), date.getMonthValue(), date.getDayOfMonth());
  }

  @Test
  void working_time_is_as_the_table_says() throws IOException {
    List<List<String>> rows = table("| from | working time | until |");
    assertThat(rows).hasSizeGreaterThan(4);
    for (List<String> row : rows.subList(1, rows.size())) {
      Instant end = WorkingTime.plus(italy(), time(row.get(0)), Duration.parse(row.get(1)));

      assertThat(end).as(row.toString()).isEqualTo(time(row.get(2)));
    }
  }

  @Test
  void slots_by_a_calendar_are_due_as_the_table_says() throws IOException {
    Optional<ZoneId> rome = Optional.of(ROME);
    LocalDate march = LocalDate.parse("2027-03-25");
    List<CalendarTiming> timings =
        List.of(
            new MonthlyBusinessDay("it", 3, LocalTime.of(18, 0), rome),
            new MonthlyBusinessDay("it", -1, LocalTime.of(9, 0), rome),
            new BusinessDaysAfter("it", 2, march, LocalTime.NOON, rome),
            new OpenOrClose("it", WorkingHoursEdge.Edge.OPEN, Duration.ofMinutes(-15), rome));
    List<List<String>> rows = table("| timing | slot |");
    assertThat(rows).hasSize(timings.size() + 1);
    for (int i = 0; i < timings.size(); i++) {
      List<String> row = rows.get(i + 1);
      Instant slot = time(row.get(1));

      assertThat(timings.get(i).matches(slot)).as(row.toString()).isTrue();
      assertThat(new CalendarTimingRule(timings.get(i), italy()).named(slot))
          .as(row.toString())
          .isEqualTo(time(row.get(2)));
    }
  }

  private static Instant time(String text) {
    return day(text).atTime(LocalTime.parse(text.substring(15))).atZone(ROME).toInstant();
  }

  @Test
  void quiet_hours_are_as_the_table_says() throws IOException {
    List<List<String>> rows = table("| due at | `skip` | `defer` | `coalesce` |");
    assertThat(rows).hasSizeGreaterThan(3);
    for (List<String> row : rows.subList(1, rows.size())) {
      for (int column = 1; column < row.size(); column++) {
        QuietAction action =
            QuietAction.valueOf(rows.get(0).get(column).replace("`", "").toUpperCase(Locale.ROOT));
        var night =
            new QuietHours(
                "night",
                ROME,
                List.of(new QuietWindow(Set.of(DayOfWeek.values()), HourSpan.parse("22:00-07:00"))),
                List.of(),
                action);
        Instant slot =
            LocalDate.parse("2027-04-12")
                .atTime(LocalTime.parse(row.get(0)))
                .atZone(ROME)
                .toInstant();
        Due due = new QuietHoursRule(List.of(night)).due(slot);
        String shown =
            due instanceof Due.At at
                ? LocalDateTime.ofInstant(at.at(), ROME).toLocalTime().toString()
                : NO_RUN;

        assertThat(row.get(column)).as("%s of %s", action, row).isEqualTo(shown);
      }
    }
  }

  /* The rows of the table that begins with this line, without the line below the head. */
  private static List<List<String>> table(String head) throws IOException {
    List<String> lines = Files.readAllLines(GUIDE);
    return lines.stream()
        .dropWhile(line -> !line.startsWith(head))
        .takeWhile(line -> line.startsWith("|"))
        .filter(line -> !line.startsWith("|---"))
        .map(line -> Arrays.stream(line.split("\\|", -1)).map(String::strip).toList())
        .map(cells -> cells.subList(1, cells.size() - 1))
        .toList();
  }
}
