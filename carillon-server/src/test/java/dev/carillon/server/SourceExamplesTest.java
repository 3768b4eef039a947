package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Every request example of the two documents whose contracts are spoken, on a fresh server. */
@ExtendWith(EmbeddedPostgres.class)
@Timeout(120)
class SourceExamplesTest {
  private static final String REGISTRAR = "registrar-requests.json";
  private static final String CRON = "cron-requests.json";

  @Test
  void the_examples_are_answered_as_the_documents_say_and_as_the_schemas_do(DataSource source)
      throws Exception {
    try (var site = new Site(source)) {
      SourceRequests.Client client =
          (method, path, body) -> {
            Answer answer = site.sendTo(method, path, body);
            return new SourceRequests.Response(answer.status(), answer.text());
          };

      assertThat(new SourceRequests(REGISTRAR, site.clock.instant()).sendTo(client)).isPositive();
      assertThat(new SourceRequests(CRON, site.clock.instant()).sendTo(client)).isPositive();
    }
  }

  @Test
  void they_work_on_a_server_on_which_nothing_was_prepared(
      PostgresServer postgres, @TempDir Path folder) throws Exception {
    try (var server = Served.start(Served.freshDatabase(postgres), folder, Map.of())) {
      SourceRequests.Client client =
          (method, path, body) -> {
            HttpResponse<String> answer = server.send(server.token(), method, path, body);
            return new SourceRequests.Response(answer.statusCode(), answer.body());
          };

      assertThat(new SourceRequests(REGISTRAR, Instant.now()).sendTo(client)).isPositive();
      assertThat(new SourceRequests(CRON, Instant.now()).sendTo(client)).isPositive();
    }
  }
}
