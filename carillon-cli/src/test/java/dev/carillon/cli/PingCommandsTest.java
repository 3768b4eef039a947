package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** {@code carillon ping …} against a real server. */
@ExtendWith(EmbeddedPostgres.class)
class PingCommandsTest {
  private final RealServer server;
  private final Path folder;

  PingCommandsTest(PostgresServer postgres, @TempDir Path folder) {
    this.folder = folder;
    server = new RealServer(postgres, postgres.createMigrated(), folder, Map.of());
  }

  @BeforeEach
  void define() throws Exception {
    server.ok("ping create backup --every 1d --grace 1h --escalate-to log --tag nightly");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private JsonNode backup() throws Exception {
    return server.json("ping show backup");
  }

  @Test
  void a_check_is_created_pinged_shown_and_deleted() throws Exception {
    assertThat(server.ok("ping list")).contains("backup", "new", "log");
    assertThat(server.ok("ping send backup start")).isEqualTo("ping backup is new\n");
    assertThat(server.ok("ping send backup --text 42-files --took-ms 7"))
        .isEqualTo("ping backup is up\n");
    assertThat(server.ok("ping show backup")).contains("success", "42-files", "start");
    assertThat(backup().at("/expect/successEvery").asText()).isEqualTo("P1D");
    assertThat(backup().at("/tags/0").asText()).isEqualTo("nightly");
    assertThat(server.run("ping send backup maybe").code()).isEqualTo(2);
    assertThat(server.ok("ping delete backup --yes")).isEqualTo("ping backup is deleted\n");
    assertThat(server.run("ping show backup").code()).isEqualTo(3);
  }

  @Test
  void a_command_that_succeeds_pings_its_beginning_and_its_end() throws Exception {
    Answer answer = server.run("ping wrap backup -- echo 42-files");

    assertThat(answer.code()).isZero();
    assertThat(answer.out()).isEqualTo("42-files\n");
    assertThat(backup().path("status").asText()).isEqualTo("up");
    assertThat(backup().path("pings")).hasSize(2);
    assertThat(backup().at("/pings/1/kind").asText()).isEqualTo("start");
    assertThat(backup().at("/pings/0/kind").asText()).isEqualTo("success");
    assertThat(backup().at("/pings/0/exitCode").asInt(-1)).isZero();
    assertThat(backup().at("/pings/0/output").asText()).isEqualTo("42-files\n");
    assertThat(backup().at("/pings/0/durationMs").isNumber()).isTrue();
  }

  @Test
  void a_command_that_fails_pings_so_and_its_exit_code_is_kept() throws Exception {
    Files.writeString(folder.resolve("fails.sh"), "echo out; echo problem >&2; exit 3\n");
    Answer answer = server.run("ping wrap backup -- sh fails.sh");

    assertThat(answer.code()).isEqualTo(3);
    assertThat(answer.err()).contains("problem");
    assertThat(backup().path("status").asText()).isEqualTo("down");
    assertThat(backup().at("/pings/0/exitCode").asInt()).isEqualTo(3);
    assertThat(backup().at("/pings/0/output").asText()).contains("out\n", "problem\n");
  }

  @Test
  void what_it_prints_can_stay_here() throws Exception {
    server.run("ping wrap backup --no-output -- echo secret");

    assertThat(backup().at("/pings/0/kind").asText()).isEqualTo("success");
    assertThat(backup().at("/pings/0/output").isNull()).isTrue();
  }

  @Test
  void a_command_that_cannot_be_run_is_a_failure() throws Exception {
    Answer answer = server.run("ping wrap backup -- no-such-command-here");

    assertThat(answer.code()).isEqualTo(127);
    assertThat(answer.err()).contains("cannot run no-such-command-here");
    assertThat(backup().at("/pings/0/exitCode").asInt()).isEqualTo(127);
  }

  @Test
  void the_command_runs_though_no_server_answers_or_the_ping_is_unknown() throws Exception {
    Answer away = server.run("ping wrap backup --server http://127.0.0.1:1 -- touch one");
    Answer unknown = server.run("ping wrap nobody -- touch two");

    assertThat(away.code()).isZero();
    assertThat(away.err()).contains("the ping 'success' was not heard");
    assertThat(unknown.code()).isZero();
    assertThat(unknown.err()).contains("was not heard", "nobody");
    assertThat(folder.resolve("one")).exists();
    assertThat(folder.resolve("two")).exists();
  }

  @Test
  void what_the_command_prints_is_passed_on_as_it_is() throws Exception {
    Files.writeString(folder.resolve("prints.sh"), "printf 'a\\tb\\033[1mc\\r\\nd'\n");

    assertThat(server.run("ping wrap backup -- sh prints.sh").out())
        .isEqualTo("a\tb\u001b[1mc\r\nd");
    assertThat(backup().at("/pings/0/output").asText()).isEqualTo("a\tb\u001b[1mc\r\nd");
  }

  @Test
  void the_words_of_the_command_are_given_to_it_as_they_are() throws Exception {
    Files.writeString(folder.resolve("lines"), "one\ntwo\n");

    assertThat(server.run("ping wrap backup -- head -1 lines").out()).isEqualTo("one\n");
    assertThat(server.run("ping wrap backup -- echo --token -x -- --help -5").out())
        .isEqualTo("--token -x -- --help -5\n");
  }

  @Test
  void the_command_runs_in_the_folder_of_whoever_runs_it() {
    Answer answer = Answer.to("ping", "wrap", "x", "--server", "http://127.0.0.1:1", "--", "pwd");

    assertThat(answer.code()).isZero();
    assertThat(answer.out()).isEqualTo(Path.of("").toAbsolutePath() + "\n");
  }

  @Test
  void a_server_that_does_not_answer_does_not_keep_the_command_from_its_exit_code()
      throws Exception {
    try (var silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      String url = "http://127.0.0.1:" + silent.getLocalPort();
      Answer answer = server.run("ping wrap backup --server " + url + " -- sh -c exit␣7");

      assertThat(answer.code()).isEqualTo(7);
      assertThat(answer.err()).contains("the server does not answer");
    }
  }

  @Test
  void only_the_beginning_of_a_long_line_is_shown() {
    server.ok("ping send backup --text " + "x".repeat(5_000));

    assertThat(server.ok("ping show backup")).contains("x".repeat(60) + "…\n");
  }
}
