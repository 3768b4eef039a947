package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.fixture.Await;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import dev.carillon.time.Zones;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Whole servers on real ports: signing in, running, and more than one of them. */
@ExtendWith(EmbeddedPostgres.class)
@Timeout(120)
class ServingTest {
  private final PostgresServer postgres;
  private final List<String> progress = new ArrayList<>();
  private @TempDir Path folder;
  private String database = "";

  ServingTest(PostgresServer postgres) {
    this.postgres = postgres;
  }

  @BeforeEach
  void create() {
    database = Served.freshDatabase(postgres);
  }

  @Test
  void the_first_start_makes_a_token_that_only_its_user_can_read() throws Exception {
    String token;
    try (var server = started(Map.of())) {
      Path file = folder.resolve("admin-token");
      token = Files.readString(file).strip();

      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
      assertThat(progress)
          .containsExactly("The admin token is in " + file.toAbsolutePath().normalize());
      assertThat(get(server, token, "/api/v1/me").body()).contains("\"role\":\"admin\"");
      assertThat(get(server, "nonsense", "/api/v1/me").statusCode()).isEqualTo(401);
      assertThat(Answer.parse(Files.readString(folder.resolve("server.json"))).path("url").asText())
          .isEqualTo(server.url());
    }
    assertThat(folder.resolve("server.json")).doesNotExist();
    progress.clear();
    try (var again = started(Map.of())) {
      assertThat(progress).isEmpty();
      assertThat(get(again, token, "/api/v1/me").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void the_data_folder_is_closed_to_other_users() throws Exception {
    Path fresh = folder.resolve("new").resolve("data");
    Path open = Files.createDirectory(folder.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
    for (Path data : List.of(fresh, open)) {
      started(Map.of("data", data.toString())).close();

      assertThat(mode(data)).isEqualTo("rwx------");
    }
  }

  @Test
  void a_data_folder_that_holds_files_of_others_stays_as_it_is() throws Exception {
    Path shared = Files.createDirectory(folder.resolve("shared"));
    Files.writeString(shared.resolve("photo.jpg"), "precious");
    Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxr-xr-x"));
    started(Map.of("data", shared.toString())).close();

    assertThat(mode(shared)).isEqualTo("rwxr-xr-x");
    assertThat(mode(shared.resolve("admin-token"))).isEqualTo("rw-------");
  }

  @Test
  void a_node_without_a_name_is_called_by_host_and_process() throws Exception {
    try (var server = started(Map.of())) {
      assertThat(server.ask("GET", "/api/v1/nodes", "").at("/items/0/name").asText())
          .matches("(?!carillon-).+-" + ProcessHandle.current().pid());
    }
  }

  @Test
  void a_node_tells_its_capacity_its_rules_of_time_zones_and_how_right_its_clock_is()
      throws Exception {
    try (var server = started(Map.of("concurrency", "7"))) {
      JsonNode node = server.ask("GET", "/api/v1/nodes", "").at("/items/0");
      assertThat(node.at("/concurrency").asInt()).isEqualTo(7);
      assertThat(node.at("/timeZones").asText()).isEqualTo(Zones.version());
      assertThat(node.at("/clockAheadMs").asLong()).isBetween(-5_000L, 5_000L);
    }
  }

  private static String mode(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  @Test
  void a_second_node_of_a_cluster_makes_no_token() throws Exception {
    try (var first = started(Map.of())) {
      String token = Files.readString(folder.resolve("admin-token")).strip();
      Path other = folder.resolve("other");
      try (var second = started(Map.of("data", other.toString()))) {
        assertThat(progress).hasSize(1);
        assertThat(other.resolve("admin-token")).doesNotExist();
        assertThat(get(second, token, "/api/v1/nodes").body())
            .contains(first.carillon().nodeId().toString());
      }
    }
  }

  @Test
  void a_token_that_is_set_is_used_instead_and_kept_nowhere() throws Exception {
    String set = "an-admin-token-that-is-set";
    try (var server = started(Map.of(), Map.of("CARILLON_ADMIN_TOKEN", set))) {
      assertThat(progress).isEmpty();
      assertThat(folder.resolve("admin-token")).doesNotExist();
      assertThat(get(server, set, "/api/v1/me").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void a_schedule_put_over_http_runs() throws Exception {
    try (var server = started(Map.of())) {
      String token = Files.readString(folder.resolve("admin-token")).strip();
      put(
          server,
          token,
          "/api/v1/schedules/tick",
          "{\"target\": \"noop\", \"timing\": {\"every\": \"PT1S\"}}");
      String body;
      do {
        body = get(server, token, "/api/v1/runs?schedule=tick&state=succeeded").body();
      } while (Answer.parse(body).at("/items").isEmpty());

      assertThat(Answer.parse(body).at("/items/0/trigger").asText()).isEqualTo("scheduled");
      assertThat(Answer.parse(body).at("/items/0/node").asText())
          .isEqualTo(server.carillon().nodeId().toString());
    }
  }

  @Test
  void a_target_defined_on_one_node_is_known_on_the_other() throws Exception {
    try (var one = started(Map.of());
        var two = started(Map.of("data", folder.resolve("two").toString()))) {
      String token = Files.readString(folder.resolve("admin-token")).strip();
      put(one, token, "/api/v1/targets/hook", "{\"type\": \"log\"}");

      assertThat(
              put(
                      two,
                      token,
                      "/api/v1/schedules/a",
                      "{\"target\": \"hook\", \"timing\": {\"every\": \"PT1H\"}}")
                  .statusCode())
          .isEqualTo(201);
      put(one, token, "/api/v1/targets/later", "{\"type\": \"worker\"}");
      assertThat(
              Await.within(
                  Duration.ofSeconds(10),
                  () -> two.carillon().targets().labels().contains("later")))
          .isTrue();
    }
  }

  @Test
  void failed_sign_ins_are_limited_but_good_tokens_go_on() throws Exception {
    try (var server = started(Map.of("sign-in-failures", "3"))) {
      String token = Files.readString(folder.resolve("admin-token")).strip();
      assertThat(get(server, token, "/api/v1/me").statusCode()).isEqualTo(200);
      for (int i = 0; i < 3; i++) {
        assertThat(get(server, "wrong" + i, "/api/v1/me").statusCode()).isEqualTo(401);
      }
      var refused = get(server, "wrong", "/api/v1/me");

      assertThat(refused.statusCode()).isEqualTo(429);
      assertThat(refused.headers().firstValue("Retry-After")).isPresent();
      assertThat(get(server, token, "/api/v1/me").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void a_token_not_used_before_signs_in_from_an_address_where_many_failed() throws Exception {
    try (var server = started(Map.of("sign-in-failures", "3"))) {
      for (int i = 0; i < 100; i++) {
        assertThat(wrongFrom(server, "198.51.100.1")).isEqualTo(i < 3 ? 401 : 429);
      }

      String token = Files.readString(folder.resolve("admin-token")).strip();
      assertThat(get(server, token, "/api/v1/me").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void behind_a_trusted_proxy_failed_sign_ins_are_counted_by_client() throws Exception {
    try (var server =
        started(Map.of("sign-in-failures", "2", "trusted-proxies", "127.0.0.0/8,10.0.0.0/8"))) {
      for (int i = 0; i < 2; i++) {
        assertThat(wrongFrom(server, "198.51.100.1, 10.0.0.9")).isEqualTo(401);
      }

      assertThat(wrongFrom(server, "198.51.100.1, 10.0.0.9")).isEqualTo(429);
      assertThat(wrongFrom(server, "203.0.113.5, 198.51.100.1")).isEqualTo(429);
      assertThat(wrongFrom(server, "198.51.100.2")).isEqualTo(401);
    }
  }

  @Test
  void what_a_client_says_of_its_address_does_not_count() throws Exception {
    try (var server = started(Map.of("sign-in-failures", "2"))) {
      for (int i = 0; i < 2; i++) {
        assertThat(wrongFrom(server, "198.51.100." + i)).isEqualTo(401);
      }

      assertThat(wrongFrom(server, "198.51.100.3")).isEqualTo(429);
    }
  }

  private static int wrongFrom(Served server, String forwardedFor) throws Exception {
    return server
        .send(
            "wrong-" + UUID.randomUUID(),
            "GET",
            "/api/v1/me",
            "",
            Map.of("X-Forwarded-For", forwardedFor))
        .statusCode();
  }

  @Test
  void connections_are_secured_and_certificates_sign_in() throws Exception {
    var site = new Certified(folder, "localhost", "DNS:localhost,IP:127.0.0.1");
    var ops = new Certified(folder, "ops.example.org", "DNS:ops.example.org");
    var stranger = new Certified(folder, "stranger", "DNS:stranger");
    Map<String, String> tls =
        Map.of(
            "tls-certificate", site.certificate().toString(),
            "tls-key", site.key().toString(),
            "tls-client-ca", ops.certificate().toString(),
            "tls-client-roles", "ops.example.org:operator");
    try (var server = started(tls)) {
      assertThat(server.url()).startsWith("https://");
      URI me = URI.create(server.url() + "/api/v1/me");
      HttpClient known = HttpClient.newBuilder().sslContext(Certified.trusting(site, ops)).build();
      HttpClient nobody = HttpClient.newBuilder().sslContext(Certified.trusting(site)).build();
      HttpClient unknown =
          HttpClient.newBuilder().sslContext(Certified.trusting(site, stranger)).build();

      var reply = known.send(HttpRequest.newBuilder(me).build(), BodyHandlers.ofString());
      assertThat(Answer.parse(reply.body()))
          .isEqualTo(
              Answer.parse(
                  """
                  {"name": "ops.example.org", "role": "operator", "signedInBy": "certificate", "scope": null}"""));
      assertThat(
              nobody.send(HttpRequest.newBuilder(me).build(), BodyHandlers.ofString()).statusCode())
          .isEqualTo(401);
      assertThat(tryIt(unknown, me)).isNotEqualTo(200);
    }
  }

  /* A certificate of an unknown signer is not sent, or ends the connection. */
  private static int tryIt(HttpClient client, URI address) throws InterruptedException {
    try {
      return client
          .send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString())
          .statusCode();
    } catch (IOException e) {
      return 0;
    }
  }

  @Test
  void a_file_that_is_no_key_is_reported_at_the_start() throws Exception {
    Path file = Files.writeString(folder.resolve("none.pem"), "nothing");
    Map<String, String> tls =
        Map.of("tls-certificate", file.toString(), "tls-key", file.toString());

    assertThatExceptionOfType(StartException.class)
        .isThrownBy(() -> started(tls))
        .withMessage(file + " holds no certificate in PEM");
  }

  private Served started(Map<String, String> flags) {
    return started(flags, Map.of());
  }

  private Served started(Map<String, String> flags, Map<String, String> environment) {
    return Served.start(database, folder, flags, environment, progress::add);
  }

  private static HttpResponse<String> get(Served server, String token, String path)
      throws Exception {
    return server.send(token, "GET", path, "");
  }

  private static HttpResponse<String> put(Served server, String token, String path, String body)
      throws Exception {
    return server.send(token, "PUT", path, body);
  }
}
