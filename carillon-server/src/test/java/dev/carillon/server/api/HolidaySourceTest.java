package dev.carillon.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.model.CalendarDefinition;
import dev.carillon.time.business.BusinessCalendar;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Imported holidays against the lists that governments publish. */
class HolidaySourceTest {
  private static HolidayImport imported(String country, String region, int... years) {
    var all = new TreeSet<Integer>();
    for (int year : years) {
      all.add(year);
    }
    return HolidaySource.holidays(
        country, region.isEmpty() ? Optional.empty() : Optional.of(region), all);
  }

  private static Set<String> days(String country, String region, int year) {
    return imported(country, region, year).holidays().keySet().stream()
        .map(date -> date.toString().substring(5))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /* US: Office of Personnel Management, federal holidays. DE: laws of the states. IT: legge 260/1949 and
   * its changes. JP: Cabinet Office. GB: gov.uk/bank-holidays. */
  @ParameterizedTest
  @CsvSource({
    "US, '', 2026, 01-01 01-19 02-16 05-25 06-19 07-03 09-07 10-12 11-11 11-26 12-25",
    "US, '', 2027, 01-01 01-18 02-15 05-31 06-18 07-05 09-06 10-11 11-11 11-25 12-24 12-31",
    "DE, '', 2027, 01-01 03-26 03-29 05-01 05-06 05-17 10-03 12-25 12-26",
    "DE, BY, 2027, 01-01 01-06 03-26 03-29 05-01 05-06 05-17 05-27 10-03 11-01 12-25 12-26",
    "DE, BE, 2027, 01-01 03-08 03-26 03-29 05-01 05-06 05-17 10-03 12-25 12-26",
    "IT, '', 2025, 01-01 01-06 04-20 04-21 04-25 05-01 06-02 08-15 11-01 12-08 12-25 12-26",
    "IT, '', 2027, 01-01 01-06 03-28 03-29 04-25 05-01 06-02 08-15 10-04 11-01 12-08 12-25 12-26",
    "JP, '', 2026, 01-01 01-12 02-11 02-23 03-20 04-29 05-03 05-04 05-05 05-06 07-20 08-11 09-21 09-22 09-23 10-12 11-03 11-23",
    "JP, '', 2027, 01-01 01-11 02-11 02-23 03-21 03-22 04-29 05-03 05-04 05-05 07-19 08-11 09-20 09-23 10-11 11-03 11-23",
    "GB, ENG, 2026, 01-01 04-03 04-06 05-04 05-25 08-31 12-25 12-28",
    "GB, ENG, 2027, 01-01 03-26 03-29 05-03 05-31 08-30 12-27 12-28"
  })
  void the_holidays_of_a_year_are_those_that_are_published(
      String country, String region, int year, String published) {
    assertThat(days(country, region, year)).containsExactly(published.split(" ", -1));
  }

  /* Portaria of the federal government: national holidays, besides days that are optional. */
  @Test
  void brazil_has_its_national_holidays() {
    assertThat(days("BR", "", 2027))
        .contains(
            "01-01", "03-26", "04-21", "05-01", "09-07", "10-12", "11-02", "11-15", "11-20",
            "12-25");
  }

  @Test
  void saudi_arabia_has_its_days_and_a_weekend_of_friday_and_saturday() {
    HolidayImport saudi = imported("SA", "", 2026);
    BusinessCalendar calendar =
        saudi
            .into(
                "sa",
                Optional.empty(),
                Optional.of(ZoneId.of("Asia/Riyadh")),
                false,
                HolidayCoverage.of(Optional.empty(), saudi.years(), LocalDate.parse("2026-01-01")))
            .own()
            .orElseThrow();

    assertThat(days("SA", "", 2026)).contains("02-22", "03-20", "05-27", "09-23");
    assertThat(calendar.isBusinessDay(LocalDate.parse("2026-10-02"))).isFalse();
    assertThat(calendar.isBusinessDay(LocalDate.parse("2026-10-03"))).isFalse();
    assertThat(calendar.isBusinessDay(LocalDate.parse("2026-10-04"))).isTrue();
    assertThat(calendar.coverageUntil()).contains(LocalDate.parse("2026-12-31"));
  }

  @Test
  void a_holiday_that_is_observed_in_the_year_before_is_part_of_that_year() {
    assertThat(imported("US", "", 2027).holidays()).containsKey(LocalDate.parse("2027-12-31"));
    assertThat(imported("US", "", 2028).holidays())
        .doesNotContainKey(LocalDate.parse("2027-12-31"));
  }

  @Test
  void an_import_keeps_what_a_calendar_has_or_replaces_its_holidays_of_these_years() {
    var before =
        CalendarDefinition.of(
            BusinessCalendar.named("it", ZoneId.of("Europe/Rome"))
                .holiday(LocalDate.parse("2027-06-24"), "Patron")
                .holiday(LocalDate.parse("2026-06-24"), "Patron")
                .weekdayHours("09:00-17:00")
                .coverageUntil(LocalDate.parse("2030-12-31"))
                .build());
    var until2030 = new HolidayCoverage(before.coverageUntil(), List.of());
    BusinessCalendar kept =
        imported("IT", "", 2027)
            .into("it", Optional.of(before), Optional.empty(), false, until2030)
            .own()
            .orElseThrow();
    BusinessCalendar replaced =
        imported("IT", "", 2027)
            .into("it", Optional.of(before), Optional.empty(), true, until2030)
            .own()
            .orElseThrow();

    assertThat(kept.holidays()).containsKey(LocalDate.parse("2027-06-24"));
    assertThat(kept.coverageUntil()).contains(LocalDate.parse("2030-12-31"));
    assertThat(kept.hasHours()).isTrue();
    assertThat(replaced.holidays())
        .doesNotContainKey(LocalDate.parse("2027-06-24"))
        .containsKeys(LocalDate.parse("2026-06-24"), LocalDate.parse("2027-03-29"));
  }

  /* Singapore's Ministry of Manpower gazettes the days of the moon year by year. */
  @Test
  void holidays_that_are_listed_by_year_are_known_until_their_list_ends() {
    HolidayImport singapore = imported("SG", "", 2024, 2027);

    assertThat(singapore.notes())
        .containsExactly(
            "Chinese New Year, Deepavali and Vesak Day are known until 2024 only; add those of later"
                + " years, then set coverageUntil");
    assertThat(coverage(singapore, "")).contains(LocalDate.parse("2024-12-31"));
    assertThat(coverage(imported("SG", "", 2027), "")).contains(LocalDate.parse("2024-12-31"));
    assertThat(coverage(imported("SG", "", 2028), "2027-12-31"))
        .contains(LocalDate.parse("2027-12-31"));
    assertThat(coverage(imported("SG", "", 2023, 2024), ""))
        .contains(LocalDate.parse("2024-12-31"));
    assertThat(imported("SG", "", 2024).notes()).isEmpty();
  }

  private static Optional<LocalDate> coverage(HolidayImport imported, String known) {
    Optional<LocalDate> before =
        known.isEmpty() ? Optional.empty() : Optional.of(known).map(LocalDate::parse);
    return imported.coverage(before, LocalDate.parse("2026-11-18")).until();
  }

  @ParameterizedTest
  @CsvSource({
    "HK, '', 2025, true", "MU, '', 2027, true", "CC, '', 2027, true", "SR, '', 2031, false",
        "SR, '', 2032, true",
    "NZ, AUK, 2052, false", "NZ, AUK, 2053, true", "DK, '', 2027, false", "GB, ENG, 2027, false",
        "SK, '', 2027, false",
    "VG, '', 2027, false", "SA, '', 2040, false", "AE, '', 2040, false", "TR, '', 2040, false",
        "US, '', 2199, false"
  })
  void only_lists_that_follow_the_moon_end(String country, String region, int year, boolean ended) {
    assertThat(imported(country, region, year).listedUntil().isPresent()).isEqualTo(ended);
  }

  @Test
  void every_country_can_be_imported() {
    for (String country : HolidaySource.countries()) {
      assertThat(imported(country, "", 2027).years()).as(country).containsExactly(2027);
    }
    assertThat(List.copyOf(HolidaySource.countries())).hasSizeGreaterThan(150);
  }

  @Test
  void a_country_is_known_by_its_code_in_any_case() {
    assertThat(imported("de", "by", 2027).holidays()).hasSize(12);
    assertThatThrownBy(() -> imported("Germany", "", 2027))
        .hasMessageStartingWith("'Germany' is not known; known are AD, ");
    assertThatThrownBy(() -> imported("JP", "X", 2027))
        .hasMessage("'X' is no region of JP; leave it out, it has none");
  }
}
