package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(EmbeddedPostgres.class)
@Timeout(60)
class ConnectionPoolTest {
  private final PostgresServer postgres;

  ConnectionPoolTest(PostgresServer postgres) {
    this.postgres = postgres;
  }

  @Test
  void a_database_that_goes_away_while_the_first_connection_is_made_does_no_lasting_harm()
      throws Exception {
    String database = postgres.createEmpty();
    try (var proxy = CuttingProxy.before(postgres.port(), "ISOLATION LEVEL", 1);
        var pool = ConnectionPool.open(url(proxy.port(), database));
        var connection = pool.connections().getConnection()) {
      assertThat(proxy.cutsLeft()).isZero();
      assertThat(connection.isValid(5)).isTrue();
    }
  }

  private DatabaseUrl url(int port, String database) {
    return new DatabaseUrl(
        "localhost:" + port,
        database,
        Map.of("sslmode", "disable"),
        Optional.of(postgres.user()),
        Optional.of(postgres.password()));
  }
}
