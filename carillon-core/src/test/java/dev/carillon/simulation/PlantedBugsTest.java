package dev.carillon.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import java.sql.SQLException;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The simulation is worth what it finds. */
@ExtendWith(EmbeddedPostgres.class)
class PlantedBugsTest {
  private static final long FIRST_SEED = 20_260_401_578L;
  private static final int MAX_SEEDS = 100;

  static Stream<Plant> bugs() {
    return Plants.all();
  }

  @ParameterizedTest
  @MethodSource("bugs")
  void a_planted_bug_is_found(Plant bug, PostgresServer server) throws SQLException {
    try (var simulation = new Simulation(server, bug)) {
      boolean found = false;
      for (int i = 0; i < MAX_SEEDS && !found; i++) {
        long seed = FIRST_SEED + bug.firstStory() + i;
        found = simulation.tell(seed, false).violations().stream().anyMatch(bug::explains);
      }
      assertThat(bug.missed()).as("fragments that no statement has").isEmpty();
      assertThat(found).as("'%s' found within %s seeds", bug, MAX_SEEDS).isTrue();
    }
  }
}
