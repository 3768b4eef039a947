package dev.carillon.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.Period;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EveryPeriodTest {
  private static final ZoneId ROME = ZoneId.of("Europe/Rome");
  private static final ZoneId UTC = ZoneId.of("UTC");

  private static List<String> next(Timing timing, String after, int count) {
    return Fire.next(timing, UTC, Instant.parse(after), count).stream()
        .map(fire -> fire.local().toLocalDateTime().toString())
        .toList();
  }

  @Test
  void the_last_of_a_month_stays_the_last() {
    var every = new EveryPeriod(Period.ofMonths(1), LocalDateTime.parse("2026-01-31T09:00"), ROME);

    assertThat(next(every, "2026-01-31T08:00:00Z", 4))
        .containsExactly(
            "2026-02-28T09:00", "2026-03-31T09:00", "2026-04-30T09:00", "2026-05-31T09:00");
    assertThat(every.next(Instant.parse("2026-03-01T00:00:00Z")))
        .contains(Instant.parse("2026-03-31T07:00:00Z"));
    assertThat(every.previous(Instant.parse("2026-01-31T08:00:00Z")))
        .contains(Instant.parse("2025-12-31T08:00:00Z"));
  }

  @Test
  void without_an_anchor_months_begin_on_the_first_at_midnight() {
    assertThat(next(EveryPeriod.of(Period.ofMonths(3), ROME), "2026-02-01T00:00:00Z", 2))
        .containsExactly("2026-04-01T00:00", "2026-07-01T00:00");
  }

  @Test
  void a_time_that_the_clocks_skip_comes_right_after_the_gap_and_one_of_two_is_the_first() {
    var spring = new EveryPeriod(Period.ofDays(1), LocalDateTime.parse("2026-03-28T02:30"), ROME);
    assertThat(
            spring.between(
                Instant.parse("2026-03-28T02:00:00Z"), Instant.parse("2026-03-30T02:00:00Z")))
        .containsExactly(
            Instant.parse("2026-03-29T01:00:00Z"), Instant.parse("2026-03-30T00:30:00Z"));
    assertThat(Fire.of(spring, UTC, Instant.parse("2026-03-29T01:00:00Z")).note())
        .contains("moved from 02:30, which the clocks skip that day");
    assertThat(Lint.of(spring, Instant.parse("2026-03-28T02:00:00Z")))
        .extracting(Warning::code)
        .containsExactly("DST_GAP", "DST_OVERLAP");

    var autumn = new EveryPeriod(Period.ofDays(1), LocalDateTime.parse("2026-10-24T02:30"), ROME);
    assertThat(
            autumn.between(
                Instant.parse("2026-10-24T01:00:00Z"), Instant.parse("2026-10-26T02:00:00Z")))
        .containsExactly(
            Instant.parse("2026-10-25T00:30:00Z"), Instant.parse("2026-10-26T01:30:00Z"));
  }

  @Test
  void a_day_that_a_zone_skips_is_no_second_slot() {
    ZoneId samoa = ZoneId.of("Pacific/Apia"); // had no 30 December 2011
    var every = new EveryPeriod(Period.ofDays(1), LocalDateTime.parse("2011-12-28T00:00"), samoa);
    Instant from = Instant.parse("2011-12-29T00:00:00Z");
    Instant to = Instant.parse("2012-01-01T00:00:00Z");

    assertThat(every.between(from, to))
        .containsExactly(
            Instant.parse("2011-12-29T10:00:00Z"),
            Instant.parse("2011-12-30T10:00:00Z"),
            Instant.parse("2011-12-31T10:00:00Z"));
    assertThat(every.count(from, to)).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource({
    "P1M, 'Every month from 2026-01-31T09:00, Europe/Rome'",
    "P1W, 'Every week from 2026-01-31T09:00, Europe/Rome'",
    "P1Y2M3D, 'Every 1 year 2 months 3 days from 2026-01-31T09:00, Europe/Rome'",
  })
  void it_is_said_in_words(String period, String words) {
    var anchor = LocalDateTime.parse("2026-01-31T09:00");
    assertThat(new EveryPeriod(Period.parse(period), anchor, ROME).describe()).isEqualTo(words);
  }

  @ParameterizedTest
  @ValueSource(strings = {"P0D", "P-1M", "P1M-1D", "P101Y", "P36526D"})
  void periods_that_lead_nowhere_are_refused(String period) {
    assertThatThrownBy(() -> EveryPeriod.of(Period.parse(period), ROME))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("from P1D to P100Y");
  }

  @Test
  void weeks_and_days_are_fixed_and_months_are_of_the_calendar() {
    assertThat(Timing.parse("@every P1W", ROME)).isEqualTo(Every.of(Duration.ofDays(7)));
    assertThat(Timing.parse("@every P1DT2H", ROME)).isEqualTo(Every.of(Duration.ofHours(26)));
    assertThat(Timing.parse("@every P1M", ROME))
        .isEqualTo(EveryPeriod.of(Period.ofMonths(1), ROME));
    assertThatThrownBy(() -> Timing.parse("@every P1MT1H", ROME))
        .hasMessageContaining("has no hours");
  }

  @ParameterizedTest
  @CsvSource({
    "P1M, 2026-02-28T11:00:00Z",
    "P1W, 2026-02-07T11:00:00Z",
    "P1Y2M3D, 2027-04-03T10:00:00Z",
    "P1DT2H, 2026-02-01T13:00:00Z",
    "PT15M, 2026-01-31T11:15:00Z",
    "P3M, 2026-04-30T10:00:00Z",
  })
  void an_amount_of_time_is_counted_by_the_calendar_of_a_zone(String amount, String end) {
    assertThat(PeriodDuration.parse(amount).after(Instant.parse("2026-01-31T11:00:00Z"), ROME))
        .isEqualTo(end);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "P",
        "PT",
        "1M",
        "P1",
        "P1H",
        "PT1D",
        "P1M1Y",
        "P1.5M",
        "PT1H1H",
        "P-1D",
        "P99999999999Y"
      })
  void what_is_no_amount_of_time_is_refused(String text) {
    assertThatThrownBy(() -> PeriodDuration.parse(text))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
