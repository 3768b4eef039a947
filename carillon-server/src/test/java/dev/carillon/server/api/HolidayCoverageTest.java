package dev.carillon.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How long holidays are known, on 18 November 2026. */
class HolidayCoverageTest {
  private static final LocalDate TODAY = LocalDate.parse("2026-11-18");

  @ParameterizedTest
  @CsvSource({
    "2026-12-31, 2027 2028, 2028-12-31, ''",
    "2026-12-31, 2028, 2026-12-31, 2027",
    "2026-12-31, 2027 2030, 2027-12-31, 2028 2029",
    "2026-06-30, 2027, 2026-06-30, 2026",
    "2026-06-30, 2026 2027, 2027-12-31, ''",
    "2030-12-31, 2027, 2030-12-31, ''",
    "2020-12-31, 2026 2027, 2027-12-31, ''",
    "2020-12-31, 2021, 2021-12-31, ''",
    "2020-12-31, 2027, 2020-12-31, 2026",
    "'', 2026 2027, 2027-12-31, ''",
    "'', 2027 2028, 2028-12-31, 2026",
    "'', 2019, 2019-12-31, ''",
    "2027-12-31, '', 2027-12-31, ''",
    "'', '', '', ''"
  })
  void years_are_added_up_to_the_first_that_is_missing(
      String known, String years, String until, String missing) {
    HolidayCoverage coverage =
        HolidayCoverage.of(date(known), new TreeSet<>(numbers(years)), TODAY);

    assertThat(coverage.until()).isEqualTo(date(until));
    assertThat(coverage.missing()).isEqualTo(numbers(missing));
  }

  private static Optional<LocalDate> date(String text) {
    return Optional.of(text).filter(given -> !given.isEmpty()).map(LocalDate::parse);
  }

  private static List<Integer> numbers(String text) {
    return Arrays.stream(text.split(" ", -1))
        .filter(part -> !part.isEmpty())
        .map(Integer::valueOf)
        .collect(Collectors.toList());
  }
}
