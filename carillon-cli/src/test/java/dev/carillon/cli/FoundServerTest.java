package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.cli.console.Environment;
import dev.carillon.cli.console.Terminal;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import dev.carillon.server.Server;
import dev.carillon.server.ServerSettings;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands beside the data folder of a server, which need no options wherever it listens. */
@ExtendWith(EmbeddedPostgres.class)
class FoundServerTest {
  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "localhost", "0.0.0.0", "::"})
  void a_server_is_found_with_its_token_whatever_address_it_listens_on(
      String host, PostgresServer postgres, @TempDir Path folder) {
    var settings =
        Map.of(
            "host",
            host,
            "port",
            "0",
            "data",
            folder.resolve("carillon-data").toString(),
            "database-url",
            RealServer.url(postgres, postgres.createMigrated()));
    var here =
        new Environment(
            Map.of(),
            folder,
            InputStream.nullInputStream(),
            Terminal.none(),
            InstantSource.system());
    try (var server = new Server(ServerSettings.from(settings, Map.of()), line -> {})) {
      server.start();

      Answer answer = Answer.in(here, "target", "list");

      assertThat(answer.err()).isEmpty();
      assertThat(answer.code()).isZero();
      assertThat(answer.out()).contains("log", "noop");
    }
  }
}
