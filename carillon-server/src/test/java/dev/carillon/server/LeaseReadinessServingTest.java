package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.Await;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A server whose node cannot renew its lease, though the database answers. */
@ExtendWith(EmbeddedPostgres.class)
@Timeout(180)
class LeaseReadinessServingTest {
  private final String database;
  private @TempDir Path folder;

  LeaseReadinessServingTest(PostgresServer postgres) {
    database = Served.freshDatabase(postgres);
  }

  private static HttpResponse<String> readiness(Served server) throws Exception {
    return server.send("nobody", "GET", "/readyz", "");
  }

  @Test
  void a_server_without_a_lease_is_not_ready_until_it_has_one_again() throws Exception {
    DatabaseUrl url = DatabaseUrl.parse(database);
    try (var server = Served.start(database, folder, Map.of("heartbeat", "PT1S", "lease", "PT3S"));
        Connection connection =
            DriverManager.getConnection(
                url.jdbc(), url.user().orElseThrow(), url.password().orElseThrow())) {
      assertThat(readiness(server).statusCode()).isEqualTo(200);

      connection.setAutoCommit(false);
      connection.createStatement().execute("lock table carillon.node in access exclusive mode");
      Await.until("a node without a lease", () -> readiness(server).statusCode() == 503);
      assertThat(readiness(server).body()).contains("lease");

      connection.rollback();
      Await.until("a lease", () -> readiness(server).statusCode() == 200);
    }
  }
}
