package dev.carillon.targets.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.Gen;
import dev.carillon.fixture.Property;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryAfterProperties {
  private static final Instant NOW = Instant.parse("2026-11-06T08:49:37Z");
  private static final List<String> DAYS =
      List.of("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday");
  private static final List<String> MONTHS =
      List.of("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec");

  private static String two(int number) {
    return number < 10 ? "0" + number : Integer.toString(number);
  }

  private static Duration bounded(Duration wait) {
    return wait.isNegative()
        ? Duration.ZERO
        : wait.compareTo(Duration.ofDays(1)) > 0 ? Duration.ofDays(1) : wait;
  }

  @Property(cases = 500)
  void a_date_is_read_in_all_three_formats(Gen any) {
    Instant now = any.instant();
    Instant at =
        now.truncatedTo(ChronoUnit.SECONDS)
            .plusSeconds(
                any.percent(70) ? any.number(-100, 90_000) : any.number(-1_000_000, 1_000_000));
    ZonedDateTime date = at.atZone(ZoneOffset.UTC);
    String day = DAYS.get(date.getDayOfWeek().getValue() - 1);
    String month = MONTHS.get(date.getMonthValue() - 1);
    String time = two(date.getHour()) + ":" + two(date.getMinute()) + ":" + two(date.getSecond());
    int number = date.getDayOfMonth();
    String shortDay = day.substring(0, 3);

    Duration wait = bounded(Duration.between(now, at));
    assertThat(
            List.of(
                shortDay
                    + ", "
                    + two(number)
                    + " "
                    + month
                    + " "
                    + date.getYear()
                    + " "
                    + time
                    + " GMT",
                day
                    + ", "
                    + two(number)
                    + "-"
                    + month
                    + "-"
                    + two(date.getYear() % 100)
                    + " "
                    + time
                    + " GMT",
                shortDay
                    + " "
                    + month
                    + " "
                    + (number < 10 ? " " : "")
                    + number
                    + " "
                    + time
                    + " "
                    + date.getYear()))
        .allSatisfy(text -> assertThat(RetryAfter.read(text, now)).contains(wait));
  }

  @Property
  void seconds_are_read_and_bounded(Gen any) {
    long seconds = any.percent(50) ? any.number(0L, 100_000L) : any.number(0L, Long.MAX_VALUE - 1);

    assertThat(RetryAfter.read(" " + seconds + " ", NOW))
        .contains(Duration.ofSeconds(Math.min(seconds, 86_400)));
  }

  @Property
  void whatever_is_said_the_wait_is_bounded_and_nothing_breaks(Gen any) {
    assertThat(RetryAfter.read(any.text(40), any.instant()).stream())
        .allSatisfy(wait -> assertThat(wait).isBetween(Duration.ZERO, Duration.ofDays(1)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 | PT0S",
        "0120 | PT2M",
        "99999999999999999999999999 | P1D",
        "Fri, 06 Nov 2026 08:50:37 GMT | PT1M",
        "Friday, 06-Nov-26 08:50:37 GMT | PT1M",
        "Fri Nov  6 08:50:37 2026 | PT1M",
        "Sunday, 06-Nov-94 08:49:37 GMT | PT0S",
        "Thu, 01 Jan 1970 00:00:00 GMT | PT0S"
      })
  void the_formats_of_the_standard_are_read(String text, String wait) {
    Duration expected = wait.equals("P1D") ? Duration.ofDays(1) : Duration.parse(wait);

    assertThat(RetryAfter.read(text, NOW)).contains(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "soon",
        "-5",
        "1.5",
        "1e3",
        "٣",
        "Fri, 31 Feb 2026 08:50:37 GMT",
        "Mon, 06 Nov 2026 08:50:37 GMT",
        "Fri, 06 Nov 2026 08:50:37 CET",
        "2026-11-06T08:50:37Z"
      })
  void anything_else_says_nothing(String text) {
    assertThat(RetryAfter.read(text, NOW)).isEmpty();
  }

  @Test
  void a_date_with_two_digits_is_never_more_than_fifty_years_ahead() {
    assertThat(RetryAfter.read("Friday, 06-Nov-76 08:49:37 GMT", NOW)).isNotEmpty();
    assertThat(RetryAfter.read("Sunday, 06-Nov-77 08:49:37 GMT", NOW)).contains(Duration.ZERO);
  }
}
