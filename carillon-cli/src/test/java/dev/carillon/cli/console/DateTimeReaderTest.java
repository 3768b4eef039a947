package dev.carillon.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DateTimeReaderTest {
  private static final Instant NOW = Instant.parse("2027-03-26T23:30:00Z");
  private static final ZoneId ROME = ZoneId.of("Europe/Rome");

  @ParameterizedTest
  @CsvSource({
    "2027-03-26T08:30:00Z, 2027-03-26T08:30:00Z",
    "2027-03-26T08:30:00+02:00, 2027-03-26T06:30:00Z",
    "2027-03-26 08:30:00+02:00, 2027-03-26T06:30:00Z",
    "2027-03-26T09:30, 2027-03-26T08:30:00Z",
    "2027-03-26 09:30, 2027-03-26T08:30:00Z",
    "2027-03-26 09:30:15, 2027-03-26T08:30:15Z",
    "2027-07-01 09:30, 2027-07-01T07:30:00Z",
    "2027-03-28 02:30, 2027-03-28T01:30:00Z",
    "2027-03-26, 2027-03-25T23:00:00Z",
    "now, 2027-03-26T23:30:00Z",
    "now+1h30m, 2027-03-27T01:00:00Z",
    "now-P1D, 2027-03-25T23:30:00Z",
    "today, 2027-03-26T23:00:00Z",
    "tomorrow, 2027-03-27T23:00:00Z",
    "yesterday, 2027-03-25T23:00:00Z",
    "tomorrow 09:30, 2027-03-28T07:30:00Z",
  })
  void a_moment_is_read_on_the_clock_of_the_zone_unless_it_says_another(
      String text, Instant moment) {
    assertThat(DateTimeReader.parse(text, NOW, ROME, DateTimeReader.Edge.FIRST)).contains(moment);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "soon",
        "5m",
        "09:30",
        "2027-02-30",
        "2027-03-26 25:00",
        "2027-03-26T",
        "now+",
        "now+x",
        "now 09:30",
        "tomorrow at nine",
        "10000-01-01",
        "now+9999999d"
      })
  void anything_else_is_none(String text) {
    assertThat(DateTimeReader.parse(text, NOW, ROME, DateTimeReader.Edge.FIRST)).isEmpty();
  }

  @Test
  void a_day_has_a_first_and_a_last_second() {
    assertThat(DateTimeReader.parse("today", NOW, ROME, DateTimeReader.Edge.LAST))
        .contains(Instant.parse("2027-03-27T22:59:59Z"));
    assertThat(DateTimeReader.parse("today", NOW, ROME, DateTimeReader.Edge.AFTER))
        .contains(Instant.parse("2027-03-27T23:00:00Z"));
  }
}
