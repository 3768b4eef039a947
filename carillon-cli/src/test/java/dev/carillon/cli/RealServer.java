package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.Environment;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.console.Terminal;
import dev.carillon.fixture.PostgresServer;
import dev.carillon.server.Server;
import dev.carillon.server.ServerSettings;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;

/** A real server in this process, and the commands of somebody who has its admin token. */
final class RealServer implements AutoCloseable {
  static final String TOKEN = "crl_real_server_of_a_test_0123456789";

  /** A key for secrets. */
  static final String KEY = "test:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

  private final Path folder;
  private final Map<String, String> settings = new HashMap<>();
  private Server server;

  /** Start one on {@code database}. */
  RealServer(PostgresServer postgres, String database, Path folder, Map<String, String> more) {
    this.folder = folder;
    settings.put("port", "0");
    settings.put("data", folder.resolve("carillon-data").toString());
    settings.put("database-url", url(postgres, database));
    settings.putAll(more);
    server = started();
  }

  /** Return how a database is named on the command line. */
  static String url(PostgresServer postgres, String database) {
    return "postgresql://%s:%s@127.0.0.1:%s/%s"
        .formatted(postgres.user(), postgres.password(), postgres.port(), database);
  }

  private Server started() {
    var fresh =
        new Server(
            ServerSettings.from(
                settings,
                settings.containsKey("secret-key-file")
                    ? Map.of("CARILLON_ADMIN_TOKEN", TOKEN)
                    : Map.of("CARILLON_ADMIN_TOKEN", TOKEN, "CARILLON_SECRET_KEY", KEY)),
            line -> {});
    fresh.start();
    return fresh;
  }

  String url() {
    return server.url();
  }

  Rest rest() {
    return new Rest(url(), TOKEN);
  }

  /** Stop it, and have it start at the same address by {@link #comeBack}. */
  void goAway() {
    settings.put("port", String.valueOf(URI.create(url()).getPort()));
    server.close();
  }

  void comeBack() {
    server = started();
  }

  /** Return what a command finds around it: the server's address and token, by variables. */
  Environment environment() {
    return around(Map.of("CARILLON_SERVER", url(), "CARILLON_TOKEN", TOKEN));
  }

  /** Return what a command finds around it that has only {@code variables}. */
  Environment around(Map<String, String> variables) {
    return new Environment(
        variables, folder, InputStream.nullInputStream(), Terminal.none(), InstantSource.system());
  }

  /** Run a command, whose words are parted by blanks; a blank inside a word is written as ␣. */
  Answer run(String command) {
    String[] words = command.split(" ", -1);
    for (int i = 0; i < words.length; i++) {
      words[i] = words[i].replace('␣', ' ');
    }
    return Answer.in(environment(), words);
  }

  /** Run a command that works, and return what it says. */
  String ok(String command) {
    Answer answer = run(command);
    assertThat(answer.code()).as("%s: %s", command, answer).isZero();
    return answer.out();
  }

  /** Run a command that works, and return its answer for programs. */
  JsonNode json(String command) throws Exception {
    return Json.read(ok(command + " -o json"));
  }

  /** Write a file that commands can name. */
  void write(String name, String text) throws Exception {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  @Override
  public void close() {
    server.close();
  }
}
