package dev.carillon.benchmarks.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.bench.Drift;
import dev.carillon.benchmarks.contender.Entrant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class DriftTableTest {

  @Test
  void the_repetition_in_the_middle_is_judged() {
    assertThat(lines(late(5), late(90), late(7)))
        .contains(
            "- 1,000 schedules every second, p99 of the lateness: promised at most 20 ms, measured"
                + " 7.0 ms (db-scheduler 70 ms, 10×): met");
  }

  @Test
  void one_missing_fire_in_one_repetition_breaks_the_promise() {
    assertThat(lines(late(5), late(6), outcome(59_999, 7, 7)))
        .contains(
            "- 1,000 schedules every second, fires seen once: promised all, measured 99.9 %: MISSED");
  }

  @Test
  void a_late_end_is_falling_behind() {
    assertThat(lines(outcome(60_000, 7, 21), late(5), late(6)))
        .contains(
            "- 1,000 schedules every second, p99 of the lateness in the last ten seconds: promised"
                + " at most 20 ms, measured 21 ms: MISSED");
  }

  @Test
  void the_spread_and_the_longest_wait_are_of_all_repetitions() {
    assertThat(lines(late(5), late(9), late(7)))
        .anyMatch(line -> line.contains("| 7.0 | 5.0–9.0 |") && line.contains("| 180,000 |"));
  }

  @Test
  void an_entrant_that_fires_nothing_in_time_has_no_figures() {
    double none = Double.NaN;
    var nothing = new Drift.Outcome(1_000, 60, 60_000, 0, 0, 0, 0, none, none, none, none, 0);
    var table =
        new DriftTable(List.of(row(Entrant.CARILLON, late(5)), row(Entrant.QUARTZ, nothing)));

    assertThat(table.lines())
        .anyMatch(line -> line.endsWith("| 60,000 | 0.0 % |  |  |  |  |  |  |"));
  }

  @Test
  void an_entrant_that_is_early_is_not_compared() {
    var early = new Drift.Outcome(1_000, 60, 60_000, 60_000, 0, 0, 60_000, 0, 0, 0, 0, 0);
    var table =
        new DriftTable(List.of(row(Entrant.CARILLON, late(5)), row(Entrant.JOBRUNR, early)));

    assertThat(table.lines())
        .anyMatch(line -> line.contains("60,000 early") && line.endsWith("|  |"));
  }

  @Test
  void carillon_is_repeated_and_the_largest_fleet_lasts_the_whole_time_once() {
    assertThat(DriftRound.of(SuiteEffort.FULL))
        .contains(
            new DriftRound(1_000, Entrant.CARILLON, List.of(20, 20, 20)),
            new DriftRound(10_000, Entrant.CARILLON, List.of(60, 20, 20)),
            new DriftRound(10_000, Entrant.LOCK_AND_FETCH_20, List.of(60)));
  }

  @Test
  void the_slow_have_small_fleets() {
    assertThat(DriftRound.of(SuiteEffort.FULL))
        .filteredOn(round -> round.entrant() == Entrant.QUARTZ)
        .extracting(DriftRound::schedules)
        .containsExactly(100, 1_000);
  }

  @Test
  void without_peers_carillon_has_the_same_rounds() {
    assertThat(DriftRound.of(SuiteEffort.FULL.withoutPeers()))
        .isEqualTo(
            DriftRound.of(SuiteEffort.FULL).stream()
                .filter(round -> round.entrant() == Entrant.CARILLON)
                .toList());
  }

  @Test
  void a_lateness_that_is_not_higher_is_no_more() {
    var without = new RepeatedDrift(List.of(late(16)));

    assertThat(new RepeatedDrift(List.of(late(12))).promise("with idle schedules", without).line())
        .isEqualTo(
            "- p99 of the lateness of fires with idle schedules, compared with none: promised at"
                + " most 10 % or 2 ms more, all fires seen, measured no more, 100.0 % seen (12 ms,"
                + " 16 ms with none): met");
    assertThat(without.promise("with idle schedules", new RepeatedDrift(List.of(late(12)))).line())
        .endsWith("measured 4.0 ms more, 100.0 % seen (16 ms, 12 ms with none): MISSED");
  }

  private static List<String> lines(Drift.Outcome... ours) {
    return new DriftTable(
            List.of(row(Entrant.CARILLON, ours), row(Entrant.LOCK_AND_FETCH_20, late(70))))
        .lines();
  }

  private static DriftTable.Row row(Entrant entrant, Drift.Outcome... outcomes) {
    var round = new DriftRound(1_000, entrant, Collections.nCopies(outcomes.length, 60));
    return new DriftTable.Row(round, new RepeatedDrift(Arrays.asList(outcomes)));
  }

  private static Drift.Outcome late(double p99) {
    return outcome(60_000, p99, p99);
  }

  private static Drift.Outcome outcome(int seen, double p99, double endP99) {
    return new Drift.Outcome(1_000, 60, 60_000, seen, 0, 0, 0, 1, p99, 100, endP99, 0);
  }
}
