package dev.carillon.cli.bench;

import static dev.carillon.cli.bench.Samples.drain;
import static dev.carillon.cli.bench.Samples.drift;
import static dev.carillon.cli.bench.Samples.ground;
import static dev.carillon.cli.bench.Samples.growth;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.bench.Drift;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BenchVerdictTest {
  @ParameterizedTest
  @CsvSource({"10000,GOOD", "9999,FAIR", "2000,FAIR", "1999,POOR"})
  void a_drain_is_graded_by_its_speed(double perSecond, Grade grade) {
    assertThat(BenchVerdict.of(drain(perSecond), Samples.QUICK_GROUND).grade()).isEqualTo(grade);
  }

  @ParameterizedTest
  @CsvSource({"20,GOOD", "20.1,FAIR", "100,FAIR", "100.1,POOR", "NaN,POOR"})
  void a_drift_is_graded_by_what_99_percent_keep_to(double p99, Grade grade) {
    assertThat(BenchVerdict.of(drift(p99), Samples.QUICK_GROUND).grade()).isEqualTo(grade);
  }

  @ParameterizedTest
  @CsvSource({"9000,GOOD", "12000,GOOD", "8999,FAIR", "7000,FAIR", "6999,POOR"})
  void growth_is_graded_by_the_speed_that_is_left_of_10000(double beside, Grade grade) {
    assertThat(BenchVerdict.of(growth(10_000, beside, 10)).grade()).isEqualTo(grade);
  }

  @Test
  void growth_is_no_better_than_the_drift_it_spoils() {
    BenchVerdict verdict = BenchVerdict.of(growth(10_000, 10_000, 150));

    assertThat(verdict.grade()).isEqualTo(Grade.POOR);
    assertThat(verdict.reason())
        .isEqualTo(
            "no speed is lost beside 1,000,000 idle schedules, but p99 went from 10 ms to 150 ms;"
                + " good from 90 %");
  }

  @Test
  void a_fire_that_was_skipped_is_poor_whatever_the_lateness() {
    BenchVerdict verdict =
        BenchVerdict.of(
            new Drift.Outcome(1_000, 20, 20_000, 19_990, 10, 0, 0, 3, 9, 30, 9, 0),
            Samples.QUICK_GROUND);

    assertThat(verdict.grade()).isEqualTo(Grade.POOR);
    assertThat(verdict.reason())
        .isEqualTo(
            "p99 9.0 ms at 1,000 fires/s, and 10 were skipped because the one before was not over;"
                + " good up to 20 ms");
  }

  @Test
  void what_is_good_needs_no_advice() {
    assertThat(BenchVerdict.of(drain(20_000), ground(12, 20)).advice()).isEmpty();
  }

  @Test
  void a_long_way_to_the_server_is_blamed_first() {
    assertThat(BenchVerdict.of(drain(500), ground(12, 21)).advice())
        .contains("the round trip to the server takes 12 ms: run Carillon nearer to it");
  }

  @Test
  void slow_commits_on_a_near_server_are_the_fault_of_its_disk() {
    assertThat(BenchVerdict.of(drift(50), ground(0.2, 9)).advice().orElseThrow())
        .startsWith("a commit takes 9.0 ms: the server's disk is slow");
  }

  @Test
  void with_a_quick_server_nearby_the_processors_are_left() {
    assertThat(BenchVerdict.of(drain(500), ground(0.2, 1)).advice().orElseThrow())
        .startsWith("round trips and commits are quick, so processors are the limit");
  }
}
