package dev.carillon.benchmarks.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.benchmarks.contender.Entrant;
import dev.carillon.benchmarks.measure.ColdStart;
import dev.carillon.benchmarks.measure.Idle;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class IdleTableTest {
  private final Map<Entrant, IdleTable.Row> rows = new EnumMap<>(Entrant.class);

  @Test
  void what_the_server_does_beyond_its_own_counts_as_well_and_every_peer_is_named() {
    put(Entrant.CARILLON, 0.6, 0.8, 100);
    put(Entrant.LOCK_AND_FETCH_20, 1, 1.5, 100);
    put(Entrant.QUARTZ, 2, 2.7, 100);

    assertThat(lines())
        .contains(
            "- processor time while idle, that of PostgreSQL included: promised at most 1 % of a"
                + " core, measured 1.1 % (db-scheduler 2.2 %, 2.00×; Quartz 4.4 %, 4.00×): MISSED");
  }

  @Test
  void the_start_in_the_middle_is_judged() {
    put(Entrant.CARILLON, 0.6, 0.1, 900, 200, 400);
    put(Entrant.JOBRUNR, 1, 1, 800);

    assertThat(lines())
        .contains(
            "- start to first handler: promised at most 500 ms, measured 400 ms (JobRunr 800 ms,"
                + " 2.00×): met");
  }

  @Test
  void without_peers_no_peer_is_named() {
    put(Entrant.CARILLON, 0.6, 0.1, 400);

    assertThat(lines())
        .contains("- start to first handler: promised at most 500 ms, measured 400 ms: met");
  }

  private List<String> lines() {
    return new IdleTable(rows).lines();
  }

  private void put(Entrant entrant, double process, double server, double... starts) {
    var outcomes =
        DoubleStream.of(starts)
            .mapToObj(millis -> new ColdStart.Outcome(millis, millis + 500))
            .toList();
    rows.put(entrant, new IdleTable.Row(new Idle.Outcome(process, server, 0.3, 0), outcomes));
  }
}
