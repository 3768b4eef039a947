package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Commands over TLS, to a real server whose certificate an own authority has signed. */
@ExtendWith(EmbeddedPostgres.class)
class TlsCommandsTest {
  @TempDir static Path folder;

  @SuppressWarnings("NullAway.Init") // before all tests
  private static Signed house;

  private final PostgresServer postgres;
  private final RealServer server;

  TlsCommandsTest(PostgresServer postgres) {
    this.postgres = postgres;
    server = new RealServer(postgres, postgres.createMigrated(), folder, tls());
  }

  @BeforeAll
  static void sign() throws Exception {
    house = new Signed(folder, "house");
    house.sign("site", "DNS:localhost,IP:127.0.0.1");
    house.sign("ops", "DNS:ops.example.org");
    house.sign("visitor", "DNS:visitor.example.org");
  }

  private static Map<String, String> tls() {
    return Map.of(
        "tls-certificate", house.certificate("site").toString(),
        "tls-key", house.key("site").toString(),
        "tls-client-ca", house.ca().toString(),
        "tls-client-roles", "ops.example.org:operator");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void a_server_is_believed_if_the_named_authority_has_signed_its_certificate() {
    assertThat(server.url()).startsWith("https://");
    assertThat(server.ok("node list --ca house.pem")).contains("alive");
    var around = new HashMap<>(server.environment().environment());
    around.put("CARILLON_CA", house.ca().toString());
    assertThat(Answer.in(server.around(around), "node", "list").code()).isZero();

    Answer unbelieved = server.run("node list");
    assertThat(unbelieved.code()).isEqualTo(7);
    assertThat(unbelieved.err()).contains("no secure connection", "--ca").doesNotContain("\tat ");
    assertThat(server.run("node list --ca ops.pem").code()).isEqualTo(7);
  }

  @Test
  void a_certificate_says_who_asks_instead_of_a_token() throws Exception {
    Answer ops = asking("ops", "run", "start", "noop");
    assertThat(ops.code()).as("%s", ops).isZero();
    assertThat(asking("ops", "run", "watch", "--count", "0").code()).isZero();
    assertThat(asking("ops", "token", "list").code()).isEqualTo(4);
    assertThat(asking("ops", "doctor").out()).contains("ops.example.org, from the certificate");

    Answer visitor = asking("visitor", "run", "list");
    assertThat(visitor.code()).isEqualTo(4);
    assertThat(visitor.err()).contains("knows nobody by this certificate", "--tls-client-roles");
  }

  @Test
  void the_token_of_a_data_folder_does_not_outweigh_a_certificate() throws Exception {
    Files.createDirectories(folder.resolve("carillon-data"));
    Files.writeString(folder.resolve("carillon-data/admin-token"), RealServer.TOKEN);

    assertThat(asking("ops", "token", "list").code()).isEqualTo(4);
  }

  @Test
  void who_must_show_a_certificate_and_does_not_is_told_so() {
    var strict = new HashMap<>(tls());
    strict.put("tls-client-required", "true");
    try (var closed =
        new RealServer(postgres, postgres.createMigrated(), folder.resolve("closed"), strict)) {
      Answer without = closed.run("node list --ca " + house.ca());
      assertThat(without.code()).isEqualTo(7);
      assertThat(without.err()).contains("--cert and --key");
      assertThat(
              closed
                  .run(
                      "node list --ca %s --cert %s --key %s"
                          .formatted(house.ca(), house.certificate("ops"), house.key("ops")))
                  .code())
          .isZero();
    }
  }

  @Test
  void files_that_cannot_be_used_are_told() {
    assertThat(server.run("node list --ca none.pem"))
        .isEqualTo(
            new Answer(2, "", "carillon: cannot read %s\n".formatted(folder.resolve("none.pem"))));
    assertThat(server.run("node list --ca ops.key").err()).contains("holds no certificate in PEM");
    assertThat(server.run("node list --cert ops.pem").err()).contains("--cert and --key");
    assertThat(server.run("node list --cert ops.pem --key ops.pem").err())
        .contains("holds no 'PRIVATE KEY' in PEM");
  }

  private Answer asking(String name, String... words) {
    return Answer.in(
        server.around(
            Map.of(
                "CARILLON_SERVER", server.url(),
                "CARILLON_CA", house.ca().toString(),
                "CARILLON_CERT", house.certificate(name).toString(),
                "CARILLON_KEY", house.key(name).toString())),
        words);
  }
}
