package dev.carillon.benchmarks.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.benchmarks.contender.Entrant;
import dev.carillon.benchmarks.measure.DrainTrial;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DrainTableTest {
  private final Map<Entrant, Repeated> results = new EnumMap<>(Entrant.class);

  {
    put(Entrant.CARILLON, 24_000, 30_000, 27_000);
    put(Entrant.LOCK_AND_FETCH_20, 9_000);
    put(Entrant.LOCK_AND_FETCH_10, 10_000);
    put(Entrant.FETCH, 3_000);
    put(Entrant.JOBRUNR, 2_000);
    put(Entrant.QUARTZ, 300);
    put(Entrant.RAW_DRAIN, 50_000);
    put(Entrant.RAW_LIFE, 61_000);
  }

  @Test
  void the_best_repetition_is_compared_with_the_best_setup_of_a_peer() {
    assertThat(lines())
        .contains(
            "- drain rate, compared with db-scheduler at its best: promised at least 3.00×, measured"
                + " 3.00× (30,000 runs/s, db-scheduler 10,000): met");
  }

  @Test
  void the_raw_limit_is_that_of_a_runs_whole_life() {
    assertThat(lines())
        .contains(
            "- drain rate, compared with the raw limit: promised at least 0.50×, measured 0.49×"
                + " (30,000 runs/s, raw limit 61,000): MISSED");
  }

  @Test
  void a_row_tells_how_many_runs_a_slow_peer_had_and_what_it_forgets() {
    assertThat(lines())
        .anyMatch(line -> line.startsWith("| Quartz,") && line.contains("| 2,500 | 300 |"))
        .anyMatch(line -> line.startsWith("| Quartz,") && line.endsWith("| no |"))
        .anyMatch(line -> line.startsWith("| JobRunr,") && line.endsWith("| yes |"));
  }

  @Test
  void statements_and_wal_are_those_of_the_best_repetition() {
    assertThat(lines())
        .contains(
            "- statements per run: promised at most 0.05, measured 0.020: met",
            "- bytes of WAL per run: promised at most 1,500, measured 1,400: met");
  }

  @Test
  void without_peers_only_the_promises_that_need_none_are_judged() {
    results.keySet().removeIf(entrant -> entrant != Entrant.CARILLON);

    assertThat(lines())
        .anyMatch(line -> line.startsWith("| Carillon | 100,000 | 30,000 | 24,000–30,000 |"))
        .filteredOn(line -> line.startsWith("- "))
        .hasSize(2)
        .noneMatch(line -> line.contains("db-scheduler"));
  }

  private List<String> lines() {
    return new DrainTable(results, 100_000).lines();
  }

  private void put(Entrant entrant, int... jobsPerSecond) {
    var outcomes =
        Arrays.stream(jobsPerSecond)
            .mapToObj(speed -> new DrainTrial.Outcome(speed, 0.02, 0.01, 1_400, 0))
            .toList();
    results.put(entrant, new Repeated(outcomes));
  }
}
