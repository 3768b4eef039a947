package dev.carillon.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.cli.Answer;
import dev.carillon.cli.Around;
import dev.carillon.cli.remote.ScriptedServer;
import dev.carillon.time.Zones;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoctorTest {
  @TempDir Path folder;
  private final ScriptedServer server = new ScriptedServer();

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void nothing_wrong_is_told_point_by_point() {
    server.on("GET /healthz", 200, "{\"status\":\"ok\"}");
    server.on("GET /readyz", 200, "{\"status\":\"ready\"}");
    server.on("GET /api/v1/me", 200, "{\"name\":\"ci\",\"role\":\"operator\"}");

    Answer answer = run("crl_x");

    assertThat(answer.code()).isZero();
    assertThat(answer.out().lines())
        .contains(
            "ok    server          answers at " + server.url(),
            "ok    ready           the server can do its work",
            "ok    token           ci, from CARILLON_TOKEN; may pause, run and read, but not define"
                + " (operator)");
    assertThat(answer.out()).contains("skip  database", "skip  files");
  }

  private Answer runWithRules(String version) {
    server.on("GET /healthz", 200, "{}");
    server.on("GET /readyz", 200, "{}");
    server.on("GET /api/v1/me", 200, "{\"name\":\"ci\",\"role\":\"viewer\"}");
    server.on("GET /api/v1/stats", 200, "{\"timeZones\":\"%s\"}".formatted(version));
    return run("crl_x");
  }

  @Test
  void the_same_time_zone_rules_here_and_there_are_well() {
    assertThat(runWithRules(Zones.version()).out().lines())
        .contains("ok    time zones      the same rules here and there: " + Zones.version());
  }

  @Test
  void other_time_zone_rules_than_the_servers_are_warned_of() {
    assertThat(runWithRules("1999z").out())
        .contains(
            "warn  time zones      rules %s here, 1999z on the server\n".formatted(Zones.version()),
            "→ 'carillon cron' may show other times than the server keeps; update the older Java");
  }

  @Test
  void what_is_wrong_comes_with_what_to_do() {
    server.on("GET /healthz", 200, "{}");
    server.on("GET /readyz", 503, "{\"reasons\":[\"the database does not answer\"]}");
    server.on("GET /api/v1/me", 401, "{\"detail\":\"this token is revoked\"}");

    Answer answer = run("crl_x");

    assertThat(answer.code()).isEqualTo(1);
    assertThat(answer.out())
        .contains(
            """
            fail  ready           not ready: the database does not answer
                                  → its log says more
            """,
            """
            fail  token           the one from CARILLON_TOKEN is refused: this token is revoked
                                  → it is revoked, expired or of another server; make another"""
                + " with 'carillon token create'\n");
  }

  @Test
  void a_server_that_is_not_there_is_told_and_the_rest_is_looked_at() {
    server.close();

    Answer answer = run("crl_x");

    assertThat(answer.code()).isEqualTo(1);
    assertThat(answer.out())
        .startsWith(
            "fail  server          no server answers at %s: no connection\n"
                .formatted(server.url()))
        .contains("→ start it with 'carillon serve'", "skip  database");
  }

  @Test
  void secrets_that_others_can_read_are_a_failure_with_the_command_that_closes_them()
      throws IOException {
    Path data = Files.createDirectory(folder.resolve("carillon-data"));
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwx------"));
    Path token = Files.writeString(data.resolve("admin-token"), "crl_x\n");
    Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-r--r--"));

    assertThat(FileChecks.run(data))
        .containsExactly(
            Finding.fail(
                "files", token + " is open to other users: rw-r--r--", "run: chmod 600 " + token),
            Finding.ok("files", data + " is closed to other users"));
  }

  @Test
  void a_folder_that_is_open_is_warned_of_while_its_secrets_are_closed() throws IOException {
    Path data = Files.createDirectory(folder.resolve("carillon-data"));
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path token = Files.writeString(data.resolve("admin-token"), "crl_x\n");
    Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));

    assertThat(FileChecks.run(data))
        .containsExactly(
            Finding.ok("files", token + " is closed to other users"),
            Finding.warn(
                "files", data + " is open to other users: rwxr-xr-x", "run: chmod 700 " + data));
  }

  @Test
  void a_folder_that_the_account_of_postgresql_may_pass_through_is_as_it_should_be()
      throws IOException {
    Path data = Files.createDirectory(folder.resolve("carillon-data"));
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwx--x---"));
    Path password = Files.writeString(data.resolve("postgres.owner.password"), "x\n");
    Files.setPosixFilePermissions(password, PosixFilePermissions.fromString("rw-r-----"));

    assertThat(FileChecks.run(data))
        .containsExactly(
            Finding.fail(
                "files",
                password + " is open to other users: rw-r-----",
                "run: chmod 600 " + password),
            Finding.ok("files", data + " is closed to other users"));
  }

  @Test
  void programs_get_the_findings_as_json() {
    server.on("GET /healthz", 200, "{}");

    assertThat(
            Around.in(folder)
                .with("CARILLON_SERVER", server.url())
                .run("doctor", "-o", "json")
                .out())
        .contains("\"level\" : \"fail\"", "\"about\" : \"token\"", "none was found");
  }

  private Answer run(String token) {
    return Around.in(folder)
        .with("CARILLON_SERVER", server.url())
        .with("CARILLON_TOKEN", token)
        .run("doctor");
  }
}
