package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.carillon.cli.console.Environment;
import dev.carillon.cli.console.Terminal;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import dev.carillon.server.Server;
import dev.carillon.server.ServerSettings;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Another process listens where the data folder says that its server is. */
@ExtendWith(EmbeddedPostgres.class)
class ImpostorTest {
  private final HttpClient http = HttpClient.newHttpClient();
  private final List<String> heard = new CopyOnWriteArrayList<>();
  private final HttpServer impostor;
  private volatile String relay = "";
  @TempDir Path folder;

  ImpostorTest() throws Exception {
    impostor = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
  }

  /* Passes everything on to a real server, if there is one, to have its answers. */
  @BeforeEach
  void listen() {
    impostor.createContext(
        "/",
        exchange -> {
          exchange
              .getRequestHeaders()
              .forEach((name, values) -> heard.add(name + ": " + String.join(", ", values)));
          byte[] answer = "{\"items\": [], \"proof\": \"AAAA\"}".getBytes(StandardCharsets.UTF_8);
          if (!relay.isEmpty()) {
            try {
              answer =
                  http.send(
                          HttpRequest.newBuilder(URI.create(relay + exchange.getRequestURI()))
                              .build(),
                          BodyHandlers.ofByteArray())
                      .body();
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
          }
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    impostor.start();
  }

  @AfterEach
  void stop() {
    impostor.stop(0);
  }

  @Test
  void gets_no_token() throws Exception {
    record("{\"url\": \"%s\", \"pid\": 4194304, \"secret\": \"of-the-folder\"}");

    Answer answer = Answer.in(here(), "target", "list");

    assertThat(String.join("\n", heard)).doesNotContain("Authorization", "crl_");
    assertThat(answer.code()).isEqualTo(7);
    assertThat(answer.err())
        .contains("what answers at " + url(), "which is not running (pid 4194304)", "was not sent");
  }

  @Test
  void gets_no_token_from_the_folder_of_an_earlier_version() throws Exception {
    record("{\"url\": \"%s\", \"pid\": 1}");

    assertThat(Answer.in(here(), "target", "list").err()).contains("is of an earlier version");
    assertThat(heard).isEmpty();
  }

  @Test
  void gets_no_token_when_no_server_is_recorded() throws Exception {
    record("");
    Files.delete(folder.resolve("carillon-data/server.json"));

    Answer answer = Answer.in(here(), "target", "list");

    assertThat(answer.code()).isEqualTo(7);
    assertThat(answer.err()).contains("no server is recorded in");
  }

  @Test
  void gets_no_token_of_a_folder_when_it_is_named_by_its_address() throws Exception {
    record("{\"url\": \"%s\", \"pid\": 4194304, \"secret\": \"of-the-folder\"}");

    Answer named = Answer.in(here(), "target", "list", "--server", url());
    Answer byVariable = Answer.in(here(Map.of("CARILLON_SERVER", url())), "target", "list");
    Files.delete(folder.resolve("carillon-data/server.json"));
    Answer unrecorded = Answer.in(here(), "target", "list", "--server", url());

    assertThat(heard).isNotEmpty();
    assertThat(String.join("\n", heard)).doesNotContain("Authorization", "crl_");
    assertThat(List.of(named.code(), byVariable.code(), unrecorded.code())).containsOnly(7);
    assertThat(named.err())
        .isEqualTo(byVariable.err())
        .contains("what answers at " + url(), "was not sent", "CARILLON_TOKEN");
    assertThat(unrecorded.err()).contains("no server is recorded in", "CARILLON_TOKEN");
  }

  @Test
  void gets_no_token_by_the_answers_of_the_real_server_elsewhere(PostgresServer postgres)
      throws Exception {
    Path data = folder.resolve("carillon-data");
    var settings =
        Map.of(
            "port",
            "0",
            "data",
            data.toString(),
            "database-url",
            RealServer.url(postgres, postgres.createMigrated()));
    try (var server = new Server(ServerSettings.from(settings, Map.of()), line -> {})) {
      server.start();
      assertThat(Answer.in(here(), "target", "list").code()).isZero();
      String byName = server.url().replace("127.0.0.1", "localhost");
      assertThat(Answer.in(here(), "target", "list", "--server", byName).code()).isZero();
      relay = server.url();
      Path file = data.resolve("server.json");
      Files.writeString(file, Files.readString(file).replace(server.url(), url()));

      Answer answer = Answer.in(here(), "target", "list");

      assertThat(answer.code()).isEqualTo(7);
      assertThat(answer.err()).contains("what answers at " + url());
      assertThat(heard).isNotEmpty();
      assertThat(String.join("\n", heard)).doesNotContain("Authorization", "crl_");
    }
  }

  private String url() {
    return "http://127.0.0.1:" + impostor.getAddress().getPort();
  }

  private void record(String text) throws Exception {
    Path data = Files.createDirectories(folder.resolve("carillon-data"));
    Files.writeString(data.resolve("server.json"), text.formatted(url()));
    Files.writeString(data.resolve("admin-token"), "crl_of-the-folder\n");
  }

  private Environment here() {
    return here(Map.of());
  }

  private Environment here(Map<String, String> variables) {
    return new Environment(
        variables, folder, InputStream.nullInputStream(), Terminal.none(), InstantSource.system());
  }
}
