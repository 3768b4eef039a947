package dev.carillon.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import dev.carillon.simulation.Journal.Kind;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * {@code -Dsimulation.seeds=N} tells N stories, {@code -Dsimulation.seed=X} tells the one that a
 * failure named, aloud.
 */
@ExtendWith(EmbeddedPostgres.class)
class SimulationTest {
  private static final long FIRST_SEED = 20_260_301_000L;

  private final Map<Kind, Integer> counts = new EnumMap<>(Kind.class);
  private int runs;

  @Test
  void whatever_fails_every_guarantee_is_kept(PostgresServer server) throws SQLException {
    Long one = Long.getLong("simulation.seed");
    int seeds = one == null ? Integer.getInteger("simulation.seeds", 150) : 1;
    try (var simulation = new Simulation(server, Plant.none())) {
      for (int i = 0; i < seeds; i++) {
        take(simulation.tell(one == null ? FIRST_SEED + i : one, one != null));
      }
    }
    System.out.printf("simulation: %s seeds, %s runs audited, %s%n", seeds, runs, summary());
    if (one == null && seeds >= 100) {
      assertThat(counts.keySet()).as("everything that can go wrong did").contains(Kind.values());
      assertThat(runs).isGreaterThan(seeds * 10);
    }
  }

  private void take(Simulation.Ending ending) {
    if (!ending.violations().isEmpty()) {
      fail(ending.toString());
    }
    runs += ending.runs();
    for (Kind kind : Kind.values()) {
      if (ending.journal().of(kind) > 0) {
        counts.merge(kind, ending.journal().of(kind), Integer::sum);
      }
    }
  }

  private String summary() {
    return counts.entrySet().stream()
        .map(
            entry ->
                "%s %s"
                    .formatted(
                        entry.getValue(),
                        entry.getKey().name().toLowerCase(Locale.ROOT).replace('_', ' ')))
        .collect(Collectors.joining(", "));
  }
}
