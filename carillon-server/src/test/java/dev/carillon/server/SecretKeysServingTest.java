package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.fixture.Await;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import dev.carillon.server.secret.CipherKey;
import dev.carillon.server.secret.KeyRing;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Servers with and without keys, with the same and with other keys, on one database. */
@ExtendWith(EmbeddedPostgres.class)
@Timeout(120)
class SecretKeysServingTest {
  private static final String HOOK =
      "{\"type\": \"http\", \"url\": \"https://hook.invalid/in?key=%s\"}";

  private final String one = CipherKey.generate().line();
  private final String two = CipherKey.generate().line();
  private final PostgresServer postgres;
  private final String name;
  @TempDir Path folder;

  SecretKeysServingTest(PostgresServer postgres) {
    this.postgres = postgres;
    this.name = postgres.createMigrated();
  }

  @Test
  void without_a_key_what_is_secret_is_refused_and_the_rest_is_stored() throws Exception {
    try (var server = started("")) {
      var refused =
          server.send(server.token(), "PUT", "/api/v1/targets/a", HOOK.formatted("canary"));

      assertThat(refused.statusCode()).isEqualTo(409);
      assertThat(refused.body())
          .contains("secret-key-missing", "secret-key-file", "CARILLON_SECRET_KEY")
          .doesNotContain("canary");
      assertThat(
              server
                  .send(
                      server.token(),
                      "PUT",
                      "/api/v1/targets/a",
                      "{\"type\": \"http\", \"url\": \"https://hook.invalid/in\"}")
                  .statusCode())
          .isEqualTo(201);
    }
  }

  @Test
  void what_an_earlier_version_stored_in_the_clear_is_sealed_at_the_start_of_any_number_of_servers()
      throws Exception {
    for (int i = 0; i < 250; i++) {
      plain("t" + i);
    }
    var threads = Executors.newFixedThreadPool(2);
    try {
      Callable<Boolean> prepare =
          () -> {
            new SecretKeys(KeyRing.parse(one), postgres.dataSource(name)).prepare();
            return true;
          };
      for (var done : threads.invokeAll(List.of(prepare, prepare))) {
        assertThat(done.get()).isTrue();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(column("select label from carillon.target where settings::text like '%canary%'"))
        .isEmpty();
    assertThat(column("select label from carillon.target where key_id is null")).isEmpty();
    try (var server = started(one)) {
      JsonNode target = server.ask("GET", "/api/v1/targets/t249", "");

      assertThat(target.path("url").asText()).isEqualTo("https://hook.invalid/in?key=canary");
      assertThat(server.ask("GET", "/health", "").path("status").asText()).isEqualTo("healthy");
    }
  }

  @Test
  void a_server_that_lacks_a_key_starts_fails_the_runs_and_says_so_until_the_key_is_there()
      throws Exception {
    try (var server = started(one)) {
      assertThat(put(server, "a")).isEqualTo(201);
    }
    try (var server = started(two)) {
      server.ask(
          "PUT",
          "/api/v1/schedules/bell",
          "{\"target\": \"a\", \"timing\": {\"every\": \"PT1H\"}}");
      server.ask("POST", "/api/v1/schedules/bell/run", "{}");
      var failed = new ArrayList<JsonNode>();
      Await.until(
          "a failed run",
          () -> {
            server
                .ask("GET", "/api/v1/runs?schedule=bell&state=failed", "")
                .at("/items")
                .forEach(failed::add);
            return !failed.isEmpty();
          });

      assertThat(failed.get(0).toString()).contains("secret_key_unknown", id(one));
      JsonNode health = server.ask("GET", "/health", "");
      assertThat(health.path("status").asText()).isEqualTo("unhealthy");
      assertThat(health.path("reasons").toString()).contains("a (key " + id(one) + ")");
      assertThat(server.ask("GET", "/api/v1/targets/a", "").at("/warnings/0/code").asText())
          .isEqualTo("secret_key_unknown");
      assertThat(server.send(server.token(), "PUT", "/api/v1/targets/a", HOOK).statusCode())
          .isEqualTo(409);
      assertThat(
              server
                  .send(
                      server.token(),
                      "PUT",
                      "/api/v1/targets/a",
                      "{\"type\": \"http\", \"url\": \"https://hook.invalid/new\", \"secret\": null}")
                  .statusCode())
          .isEqualTo(200);
      assertThat(server.ask("GET", "/health", "").path("status").asText()).isEqualTo("healthy");
    }
  }

  @Test
  void a_key_of_the_same_id_that_is_another_key_is_refused_at_the_start() {
    started(one).close();
    String other = id(one) + two.substring(two.indexOf(':'));

    assertThatThrownBy(() -> started(other))
        .isInstanceOf(StartException.class)
        .hasMessageContaining(
            "key %s is another one than the servers of this database know".formatted(id(one)));
  }

  @Test
  void a_server_with_other_keys_than_those_at_work_is_refused_at_the_start() {
    try (var first = started(one)) {
      assertThat(first.url()).isNotEmpty();
      assertThatThrownBy(() -> started(two, "second"))
          .isInstanceOf(StartException.class)
          .hasMessageContaining("give every server the same keys")
          .hasMessageContaining(id(one));
      started(one + " " + two, "second").close();
      started(two + " " + one, "second").close();
    }
  }

  @Test
  void keys_are_changed_while_servers_work() throws Exception {
    try (var server = started(one + " " + two)) {
      for (int i = 0; i < 120; i++) {
        assertThat(put(server, "t" + i)).isEqualTo(201);
      }
      long revision = Long.parseLong(column("select max(revision) from carillon.target").get(0));
      var keys = new SecretKeys(KeyRing.parse(two + " " + one), postgres.dataSource(name));
      var seen = new ArrayList<Long>();

      assertThat(keys.rotate(seen::add)).isEqualTo(new SecretKeys.Rotation(120, 0));
      assertThat(seen).last().isEqualTo(120L);
      assertThat(seen).hasSizeGreaterThan(1);
      assertThat(keys.rotate(done -> {})).isEqualTo(new SecretKeys.Rotation(0, 0));
      assertThat(keys.counts()).isEqualTo(Map.of(id(two), 120L));
      assertThat(column("select max(revision) from carillon.target"))
          .containsExactly(String.valueOf(revision));
      assertThat(server.ask("GET", "/api/v1/targets/t7", "").path("url").asText())
          .isEqualTo("https://hook.invalid/in?key=canary");
      assertThat(server.ask("GET", "/health", "").path("status").asText()).isEqualTo("healthy");
    }
  }

  @Test
  void a_rotation_to_a_key_that_no_server_at_work_has_is_refused() throws Exception {
    try (var server = started(one)) {
      put(server, "a");
      var keys = new SecretKeys(KeyRing.parse(two + " " + one), postgres.dataSource(name));

      assertThatThrownBy(() -> keys.rotate(done -> {}))
          .isInstanceOf(StartException.class)
          .hasMessageContaining("none has started with key " + id(two))
          .hasMessageContaining("start them again, and rotate then");
      assertThat(keys.counts()).isEqualTo(Map.of(id(one), 1L));
      started(one + " " + two, "second").close();
      assertThat(keys.rotate(done -> {})).isEqualTo(new SecretKeys.Rotation(1, 0));
    }
  }

  @Test
  void a_rotation_leaves_what_it_cannot_read() throws Exception {
    try (var server = started(one)) {
      put(server, "a");
    }
    var keys = new SecretKeys(KeyRing.parse(two), postgres.dataSource(name));

    assertThat(Await.within(Duration.ofSeconds(30), () -> rotated(keys))).isTrue();
    assertThat(keys.rotate(done -> {})).isEqualTo(new SecretKeys.Rotation(0, 1));
    assertThat(keys.counts()).isEqualTo(Map.of(id(one), 1L));
  }

  /* The lease of the server that has just stopped may have a moment left. */
  private static boolean rotated(SecretKeys keys) {
    try {
      keys.rotate(done -> {});
      return true;
    } catch (StartException e) {
      return false;
    }
  }

  @Test
  void sealed_settings_cannot_be_moved_to_another_target() throws Exception {
    try (var server = started(one)) {
      put(server, "a");
      put(server, "b");
      try (var connection = postgres.dataSource(name).getConnection();
          var statement = connection.createStatement()) {
        statement.execute(
            "update carillon.target as b set sealed = a.sealed, revision = nextval('carillon.target_revision') from carillon.target as a where a.label = 'a' and b.label = 'b'");
      }
      Await.until(
          "noticed",
          () -> server.ask("GET", "/health", "").path("reasons").toString().contains("b (key "));
      assertThat(server.ask("GET", "/api/v1/targets/b", "").has("url")).isFalse();
    }
  }

  private static int put(Served server, String label) throws Exception {
    return server
        .send(server.token(), "PUT", "/api/v1/targets/" + label, HOOK.formatted("canary"))
        .statusCode();
  }

  private static String id(String key) {
    return key.substring(0, key.indexOf(':'));
  }

  private Served started(String keys) {
    return started(keys, "first");
  }

  private Served started(String keys, String data) {
    return Served.start(
        "postgresql://%s:%s@127.0.0.1:%s/%s"
            .formatted(postgres.user(), postgres.password(), postgres.port(), name),
        folder.resolve(data),
        Map.of("heartbeat", "PT0.5S", "lease", "PT2S"),
        Map.of("CARILLON_SECRET_KEY", keys),
        line -> {});
  }

  private void plain(String label) throws SQLException {
    try (var connection = postgres.dataSource(name).getConnection();
        var statement =
            connection.prepareStatement(
                """
                insert into carillon.target (label, type, settings, revision, updated_at, updated_by)
                values (?, 'http', '{"type": "http", "url": "https://hook.invalid/in?key=canary"}',
                        nextval('carillon.target_revision'), now(), 'ada')
                """)) {
      statement.setString(1, label);
      statement.executeUpdate();
    }
  }

  private List<String> column(String sql) throws SQLException {
    var values = new ArrayList<String>();
    try (var connection = postgres.dataSource(name).getConnection();
        var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        values.add(rows.getString(1));
      }
    }
    return values;
  }
}
