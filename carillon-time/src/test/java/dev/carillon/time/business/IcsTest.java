package dev.carillon.time.business;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.carillon.fixture.HostileGen;
import dev.carillon.fixture.Property;
import dev.carillon.time.InvalidValueException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.MonthDay;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IcsTest {
  private static final ZoneId ROME = ZoneId.of("Europe/Rome");
  private static final Instant STAMP = Instant.parse("2026-11-17T12:00:00Z");

  private static String event(String... lines) {
    return "BEGIN:VEVENT\r\n" + String.join("\r\n", lines) + "\r\nEND:VEVENT\r\n";
  }

  private static String calendar(String... events) {
    return "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n" + String.join("", events) + "END:VCALENDAR\r\n";
  }

  private static LocalDate date(String text) {
    return LocalDate.parse(text);
  }

  @Test
  void all_day_events_are_holidays() {
    IcsHolidays read =
        Ics.read(
            calendar(
                "METHOD:PUBLISH\r\n",
                event("UID:1", "DTSTART;VALUE=DATE:20270329", "SUMMARY:Easter\\, Monday\\; \\\\ 1"),
                event("DTSTART;VALUE=DATE:20271225", "DTEND;VALUE=DATE:20271227", "SUMMARY:Xmas"),
                event("DTSTART:20270602", "DURATION:P1D")));

    assertThat(read.holidays())
        .containsExactly(
            entry(date("2027-03-29"), "Easter, Monday; \\ 1"),
            entry(date("2027-06-02"), ""),
            entry(date("2027-12-25"), "Xmas"),
            entry(date("2027-12-26"), "Xmas"));
    assertThat(read.events()).isEqualTo(3);
    assertThat(read.ignored()).isZero();
  }

  @Test
  void yearly_events_are_recurring_holidays() {
    IcsHolidays read =
        Ics.read(
            calendar(
                event("DTSTART;VALUE=DATE:19000101", "RRULE:FREQ=YEARLY", "SUMMARY:New Year"),
                event(
                    "DTSTART;VALUE=DATE:20200501",
                    "RRULE:FREQ=YEARLY;INTERVAL=1;BYMONTH=5;BYMONTHDAY=1",
                    "SUMMARY:Labour Day"),
                event(
                    "DTSTART;VALUE=DATE:20270801",
                    "RRULE:FREQ=YEARLY;COUNT=3;INTERVAL=2",
                    "SUMMARY:Now and then"),
                event(
                    "DTSTART;VALUE=DATE:20271101",
                    "RRULE:FREQ=YEARLY;UNTIL=20291101T000000Z",
                    "EXDATE;VALUE=DATE:20281101",
                    "SUMMARY:Not always")));

    assertThat(read.recurringHolidays())
        .containsExactly(
            entry(MonthDay.of(1, 1), "New Year"), entry(MonthDay.of(5, 1), "Labour Day"));
    assertThat(read.holidays())
        .containsExactly(
            entry(date("2027-08-01"), "Now and then"),
            entry(date("2027-11-01"), "Not always"),
            entry(date("2029-08-01"), "Now and then"),
            entry(date("2029-11-01"), "Not always"),
            entry(date("2031-08-01"), "Now and then"));
  }

  @Test
  void the_years_of_a_file_are_those_that_it_lists_not_those_that_a_repetition_goes_on_into() {
    String easter = event("DTSTART;VALUE=DATE:20270329");
    String thrice = event("DTSTART;VALUE=DATE:20280501", "RRULE:FREQ=YEARLY;COUNT=3");
    String everyOther = event("DTSTART;VALUE=DATE:20200801", "RRULE:FREQ=YEARLY;INTERVAL=2");

    assertThat(Ics.read(calendar(easter, thrice, everyOther)).years()).containsExactly(2027);
    assertThat(Ics.read(calendar(thrice, everyOther)).years()).containsExactly(2028, 2029, 2030);
    assertThat(Ics.read(calendar(everyOther)).years()).isEmpty();
  }

  @Test
  void what_is_no_holiday_is_ignored_and_counted() {
    IcsHolidays read =
        Ics.read(
            calendar(
                event("DTSTART:20270329T100000Z", "SUMMARY:a meeting"),
                event("DTSTART;VALUE=DATE:20270402", "STATUS:CANCELLED"),
                event("DTSTART;VALUE=DATE:20270402", "RRULE:FREQ=MONTHLY"),
                event("DTSTART;VALUE=DATE:20270402", "RRULE:FREQ=YEARLY;BYDAY=1MO"),
                event("SUMMARY:without a date"),
                "BEGIN:VTODO\r\nDTSTART;VALUE=DATE:20270403\r\nEND:VTODO\r\n",
                event(
                    "DTSTART;VALUE=DATE:20270405",
                    "BEGIN:VALARM",
                    "DTSTART;VALUE=DATE:20300101",
                    "END:VALARM",
                    "X-UNKNOWN;A=\"b:c;d\":e",
                    "SUMMARY:a holiday")));

    assertThat(read.holidays()).containsExactly(entry(date("2027-04-05"), "a holiday"));
    assertThat(read.events()).isEqualTo(6);
    assertThat(read.ignored()).isEqualTo(5);
    assertThat(read.reasons())
        .containsExactly(
            "line 3: has a time of day",
            "line 7: is canceled",
            "line 11: is repeated by a rule that is not simply yearly",
            "line 15: is repeated by a rule that is not simply yearly",
            "line 19: has no DTSTART");
  }

  @Test
  void folded_lines_are_joined_and_line_ends_may_be_plain() {
    IcsHolidays read =
        Ics.read(
            "\uFEFF"
                + calendar(event("DTSTART;VALUE=DATE:20270", " 329", "SUMMARY:Eas", "\tter"))
                    .replace("\r\n", "\n"));

    assertThat(read.holidays()).containsExactly(entry(date("2027-03-29"), "Easter"));
  }

  @Test
  void several_holidays_on_one_day_are_one_with_all_names() {
    IcsHolidays read =
        Ics.read(
            calendar(
                event("DTSTART;VALUE=DATE:20270329", "SUMMARY:A"),
                event("DTSTART;VALUE=DATE:20270329", "SUMMARY:B"),
                event("DTSTART;VALUE=DATE:20270329", "SUMMARY:A")));

    assertThat(read.holidays()).containsExactly(entry(date("2027-03-29"), "A, B"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                                     | line 1 should be BEGIN:VCALENDAR; the text is empty",
        "hello                                  | line 1 has no colon after the name of a property",
        "BEGIN:VEVENT                           | line 1 is outside of BEGIN:VCALENDAR and END:VCALENDAR",
        "BEGIN:VCALENDAR                        | line 1 is the last, but END:VCALENDAR is missing",
        "BEGIN:VCALENDAR/END:VEVENT             | line 2 ends VEVENT, but VCALENDAR is open",
        "BEGIN:VCALENDAR/<script>:x             | line 2 does not begin with the name of a property",
        "BEGIN:VCALENDAR/A;B:x                  | line 2 has parameters that cannot be read",
        "BEGIN:VCALENDAR/BEGIN:VEVENT/DTSTART;VALUE=DATE:20270231 | line 3 has a date that does not exist: 20270231",
        "BEGIN:VCALENDAR/BEGIN:VEVENT/DTSTART;VALUE=DATE:tomorrow | line 3 has no date such as 20270405",
        "BEGIN:VCALENDAR/BEGIN:VEVENT/DURATION:PT1H               | line 3 has no duration in days, such as P1D",
      })
  void what_cannot_be_read_is_refused_with_its_line(String text, String message) {
    assertThatThrownBy(() -> Ics.read(text.replace("/", "\r\n")))
        .isInstanceOfSatisfying(
            InvalidValueException.class, e -> assertThat(e.field()).contains("ics"))
        .hasMessage(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "20290101 | lasts from 2027-01-01 to 2029-01-01; at most 366 days are possible",
        "20260101 | begins on 2027-01-01 and ends before, on 2026-01-01; correct one of them"
      })
  void an_event_of_more_than_a_year_or_less_than_nothing_is_refused(String end, String message) {
    assertThatThrownBy(
            () ->
                Ics.read(calendar(event("DTSTART;VALUE=DATE:20270101", "DTEND;VALUE=DATE:" + end))))
        .hasMessage("the event of line 3 " + message);
  }

  @Test
  void large_texts_are_refused_early() {
    assertThatThrownBy(() -> Ics.read(" ".repeat(Ics.MAX_LENGTH + 1)))
        .hasMessage("an iCalendar text has at most 4194304 characters; this has 4194305");
    assertThatThrownBy(() -> Ics.read("BEGIN:VCALENDAR\nX:" + "x".repeat(70_000)))
        .hasMessage("line 2 has more than 65536 characters");
    assertThatThrownBy(() -> Ics.read("BEGIN:VCALENDAR\nX:" + "x\n ".repeat(70_000)))
        .hasMessage("line 2 has more than 65536 characters");
    assertThatThrownBy(() -> Ics.read("BEGIN:VCALENDAR\n".repeat(100)))
        .hasMessage("line 9 is in more than 8 components");
    assertThatThrownBy(
            () -> Ics.read("BEGIN:VCALENDAR\n" + "BEGIN:VEVENT\nEND:VEVENT\n".repeat(20_001)))
        .hasMessage("line 40002 begins more than 20000 events");
    String century =
        event(
            "DTSTART;VALUE=DATE:19700101",
            "DTEND;VALUE=DATE:19701231",
            "RRULE:FREQ=YEARLY;UNTIL=21991231");
    assertThatThrownBy(() -> Ics.read(calendar(century.repeat(1_000))))
        .hasMessage("at most 5000 holidays are possible; leave out years that are long past");
    String crowded =
        event("DTSTART;VALUE=DATE:19700101", "DTEND;VALUE=DATE:19701231", "SUMMARY:again");
    assertThatThrownBy(() -> Ics.read(calendar(crowded.repeat(1_000))))
        .hasMessage("all events together have more than 100000 days; leave some out");
  }

  @Property(cases = 1_000)
  void hostile_texts_become_plain_names_or_are_refused(HostileGen any) {
    String text = calendar(event("DTSTART;VALUE=DATE:20270329", "SUMMARY:" + any.hostile()));
    try {
      IcsHolidays read = Ics.read(text);
      read.holidays()
          .values()
          .forEach(name -> assertThat(name.chars().noneMatch(Character::isISOControl)).isTrue());
      var calendar = BusinessCalendar.named("x", ROME);
      read.addTo(calendar);
      calendar.build();
    } catch (InvalidValueException e) {
      assertThat(e.field()).contains("ics");
    }
  }

  @Property(cases = 200)
  void what_is_written_can_be_read(BusinessGen any) {
    BusinessCalendar calendar = any.calendar();
    String written = Ics.write(calendar, STAMP);
    IcsHolidays read = Ics.read(written);
    var again = BusinessCalendar.named("again", calendar.zone()).weekend();
    read.addTo(again);

    assertThat(read.ignored()).isZero();
    LocalDate date = any.date();
    for (int day = 0; day < 400; day++) {
      LocalDate tried = date.plusDays(day);
      if (calendar.day(tried).kind() == Day.Kind.HOLIDAY) {
        assertThat(again.build().isBusinessDay(tried)).as("%s", tried).isFalse();
        break;
      }
      if (calendar.isBusinessDay(tried)) {
        assertThat(read.holidays()).doesNotContainKey(tried);
      }
    }
  }

  @Test
  void what_is_written_is_folded_and_escaped() {
    BusinessCalendar calendar =
        BusinessCalendar.named("it, all", ROME)
            .holiday(date("2027-03-29"), "Easter; ".repeat(20).strip())
            .holiday(date("2027-04-25"), "Festa della Liberazione è oggi ".repeat(4).strip())
            .holiday(MonthDay.of(2, 29), "Leap Day")
            .holiday(MonthDay.of(12, 25), "Christmas")
            .extraWorkingDay(date("2028-12-25"), "no Christmas")
            .build();
    String written = Ics.write(calendar, STAMP);
    IcsHolidays read = Ics.read(written);

    assertThat(written.split("\r\n", -1))
        .allSatisfy(
            line ->
                assertThat(line.getBytes(StandardCharsets.UTF_8).length).isLessThanOrEqualTo(75))
        .contains(
            "X-WR-CALNAME:it\\, all",
            "DTSTAMP:20261117T120000Z",
            "DTSTART;VALUE=DATE:20270329",
            "DTEND;VALUE=DATE:20270330",
            "EXDATE;VALUE=DATE:20281225");
    assertThat(read.holidays()).containsAllEntriesOf(calendar.holidays());
    assertThat(read.recurringHolidays()).containsExactly(entry(MonthDay.of(2, 29), "Leap Day"));
    assertThat(read.holidays())
        .containsEntry(date("2027-12-25"), "Christmas")
        .doesNotContainKey(date("2028-12-25"));
    assertThat(read.ignored()).isZero();
  }
}
