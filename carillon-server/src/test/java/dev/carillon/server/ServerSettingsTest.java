package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.entry;

import dev.carillon.policy.CatchUp;
import dev.carillon.policy.Overlap;
import dev.carillon.policy.PolicyDefaults;
import dev.carillon.server.api.Defaults;
import dev.carillon.server.web.Role;
import dev.carillon.targets.http.ExecutorSettings;
import dev.carillon.time.Jitter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerSettingsTest {
  @Test
  void nothing_set_means_loopback_and_an_embedded_database() {
    var settings = ServerSettings.from(Map.of(), Map.of());

    assertThat(settings.host()).isEqualTo("127.0.0.1");
    assertThat(settings.port()).isEqualTo(8080);
    assertThat(settings.data()).isEqualTo(Path.of("carillon-data"));
    assertThat(settings.database()).isEmpty();
    assertThat(settings.tls()).isEmpty();
    assertThat(settings.signIn().adminToken()).isEmpty();
    assertThat(settings.signIn().jwt()).isEmpty();
    assertThat(settings.scheduler().durations()).isEmpty();
    assertThat(settings.scheduler().defaults()).isEqualTo(Defaults.BUILT_IN);
    assertThat(settings.scheduler().policies()).isEqualTo(PolicyDefaults.BUILT_IN);
  }

  @Test
  void catch_up_is_set_part_by_part_for_us_and_for_the_source_contracts() {
    SchedulerSettings settings =
        ServerSettings.from(
                Map.of(
                    "default-catch-up", "all",
                    "default-grace", "30s",
                    "default-max-age", "2h",
                    "catch-up-limit", "50",
                    "queue-limit", "9",
                    "default-overlap", "queue"),
                Map.of())
            .scheduler();

    CatchUp catchUp =
        new CatchUp(CatchUp.Mode.ALL, 50, Optional.of(Duration.ofHours(2)), Duration.ofSeconds(30));
    assertThat(settings.policies()).isEqualTo(new PolicyDefaults(catchUp, 9));
    assertThat(settings.defaults()).isEqualTo(new Defaults(Overlap.queue(9), catchUp, Jitter.NONE));
  }

  @Test
  void an_age_of_none_lets_missed_slots_of_any_age_run() {
    assertThat(scheduler("default-max-age", "none").policies().catchUp())
        .isEqualTo(PolicyDefaults.BUILT_IN.catchUp().anyAge());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> scheduler("default-max-age", "0s"))
        .withMessageStartingWith("--default-max-age: ");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> scheduler("default-grace", "soon"))
        .withMessageStartingWith("--default-grace: ");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> scheduler("queue-limit", "10001"))
        .withMessage("--queue-limit must be a number from 1 to 10000; was '10001'");
  }

  private static SchedulerSettings scheduler(String name, String value) {
    return ServerSettings.from(Map.of(name, value), Map.of()).scheduler();
  }

  @Test
  void an_executor_is_set_by_its_address_and_accepts_work_unless_said() {
    var settings =
        ServerSettings.from(
            Map.of("executor-url", "http://127.0.0.1:9000/run"),
            Map.of("CARILLON_EXECUTOR_SECRET", "a secret of more than 24 bytes"));
    var executor = settings.executor().orElseThrow();

    assertThat(executor.http().url()).hasToString("http://127.0.0.1:9000/run");
    assertThat(executor.http().secrets()).containsExactly("a secret of more than 24 bytes");
    assertThat(executor.completion()).isEqualTo(ExecutorSettings.Completion.ACCEPTED);
    assertThat(ServerSettings.from(Map.of(), Map.of()).executor()).isEmpty();
  }

  @Test
  void an_executor_that_cannot_be_used_is_refused_by_the_name_of_its_setting() {
    var good = "http://127.0.0.1:9000/run";

    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServerSettings.from(Map.of("executor-url", "localhost:1"), Map.of()))
        .withMessage("--executor-url: a url begins with http:// or https://");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                ServerSettings.from(
                    Map.of("executor-url", good), Map.of("CARILLON_EXECUTOR_SECRET", "short")))
        .withMessageStartingWith("CARILLON_EXECUTOR_SECRET: ");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> ServerSettings.from(Map.of(), Map.of("CARILLON_EXECUTOR_SECRET", "no address")))
        .withMessage("CARILLON_EXECUTOR_SECRET needs --executor-url (or CARILLON_EXECUTOR_URL)");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                ServerSettings.from(
                    Map.of("executor-url", good, "executor-completion", "maybe"), Map.of()))
        .withMessageStartingWith("--executor-completion: ");
  }

  @Test
  void the_environment_sets_and_a_flag_outweighs_it() {
    var environment =
        Map.of("CARILLON_PORT", "9000", "CARILLON_HOST", "::1", "CARILLON_DATA", "/d");
    var settings = ServerSettings.from(Map.of("port", "9001"), environment);

    assertThat(settings.host()).isEqualTo("::1");
    assertThat(settings.port()).isEqualTo(9001);
    assertThat(settings.data()).isEqualTo(Path.of("/d"));
  }

  @Test
  void a_file_sets_what_neither_flag_nor_environment_does(@TempDir Path folder) throws Exception {
    Path file =
        Files.writeString(folder.resolve("carillon.conf"), "port = 9002\nlookahead=PT30S\n");
    var settings =
        ServerSettings.from(Map.of("config", file.toString()), Map.of("CARILLON_PORT", "9003"));

    assertThat(settings.port()).isEqualTo(9003);
    assertThat(settings.scheduler().durations())
        .containsExactly(entry(Setting.LOOKAHEAD, Duration.ofSeconds(30)));
  }

  @Test
  void the_error_of_a_file_with_an_unknown_name_names_the_nearest(@TempDir Path folder)
      throws Exception {
    Path file = Files.writeString(folder.resolve("carillon.conf"), "lookahed = PT30S\n");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServerSettings.from(Map.of("config", file.toString()), Map.of()))
        .withMessage(file + ": there is no setting 'lookahed'; did you mean 'lookahead'?");
  }

  @Test
  void the_names_other_deployments_set_are_understood() {
    var settings =
        ServerSettings.from(
                Map.of(),
                Map.of(
                    "TICK_MS", "250",
                    "LOOKAHEAD_MS", "30000",
                    "MAX_CATCHUP_PER_TICK", "7",
                    "DEFAULT_OVERLAP_POLICY", "queue",
                    "DEFAULT_CATCHUP_POLICY", "run_once",
                    "DEFAULT_JITTER_MS", "1500"))
            .scheduler();

    assertThat(settings.durations())
        .containsOnly(
            entry(Setting.POLL, Duration.ofMillis(250)),
            entry(Setting.LOOKAHEAD, Duration.ofSeconds(30)));
    assertThat(settings.defaults())
        .isEqualTo(
            new Defaults(
                Overlap.QUEUE,
                CatchUp.once().called("run_once"),
                Jitter.around(Duration.ofMillis(1500))));
    assertThat(settings.catchUpPerTick()).contains(7);
    assertThat(settings.policies().catchUp())
        .isEqualTo(PolicyDefaults.BUILT_IN.catchUp().called("run_once"));
    assertThat(
            ServerSettings.from(Map.of("poll", "2s"), Map.of("TICK_MS", "250"))
                .scheduler()
                .durations())
        .containsOnly(entry(Setting.POLL, Duration.ofSeconds(2)));
  }

  @Test
  void an_admin_token_is_long_and_never_shown() {
    String token = "an-admin-token-of-my-own";
    var settings = ServerSettings.from(Map.of(), Map.of("CARILLON_ADMIN_TOKEN", token));

    assertThat(settings.signIn().adminToken()).contains(token);
    assertThat(settings.toString()).doesNotContain(token);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServerSettings.from(Map.of(), Map.of("CARILLON_ADMIN_TOKEN", "short")))
        .withMessage(
            "CARILLON_ADMIN_TOKEN: an admin token has 20 to 200 characters of ASCII and no blanks");
  }

  @Test
  void jwts_need_keys_an_issuer_and_an_audience() {
    var url = Map.of("jwt-jwks-url", "https://id.example.org/keys");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServerSettings.from(url, Map.of()))
        .withMessage("JWTs need --jwt-issuer (or CARILLON_JWT_ISSUER)");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> ServerSettings.from(Map.of("jwt-jwks-url", "http://id.example.org/k"), Map.of()))
        .withMessageContaining("https://");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                ServerSettings.from(
                    Map.of(
                        "jwt-key-file", "k",
                        "jwt-issuer", "i",
                        "jwt-audience", "a",
                        "jwt-algorithms", "none"),
                    Map.of()))
        .withMessageContaining("'none' is no accepted algorithm");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                ServerSettings.from(
                    Map.of(
                        "jwt-key-file", "k",
                        "jwt-issuer", "i",
                        "jwt-audience", "a",
                        "jwt-algorithms", "HS256,RS256"),
                    Map.of()))
        .withMessageContaining("exclude each other");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                ServerSettings.from(
                    Map.of(
                        "jwt-jwks-url", "https://id.example.org/keys",
                        "jwt-issuer", "i",
                        "jwt-audience", "a",
                        "jwt-algorithms", "HS256"),
                    Map.of()))
        .withMessageContaining("what is published is not secret");
  }

  @Test
  void client_certificates_need_signers_and_known_roles() {
    var tls = Map.of("tls-certificate", "c", "tls-key", "k", "tls-client-ca", "ca");
    var roles = new HashMap<>(tls);
    roles.put("tls-client-roles", "spiffe://example/ops:operator; CN=ann,O=example:admin");

    assertThat(ServerSettings.from(roles, Map.of()).tls().orElseThrow().clientRoles())
        .containsOnly(
            entry("spiffe://example/ops", Role.OPERATOR), entry("CN=ann,O=example", Role.ADMIN));
    roles.put("tls-client-roles", "ann:root");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServerSettings.from(roles, Map.of()))
        .withMessageContaining("'ann:root' must be a name and one of viewer, operator");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServerSettings.from(Map.of("tls-client-ca", "ca"), Map.of()))
        .withMessage("client certificates need --tls-certificate (or CARILLON_TLS_CERTIFICATE)");
  }

  @Test
  void an_empty_variable_counts_as_not_set() {
    assertThat(ServerSettings.from(Map.of(), Map.of("CARILLON_DATABASE_URL", "")).database())
        .isEmpty();
  }

  @Test
  void the_account_may_come_from_the_environment() {
    var settings =
        ServerSettings.from(
            Map.of("database-url", "postgresql://db/x"),
            Map.of("CARILLON_DATABASE_USER", "ann", "CARILLON_DATABASE_PASSWORD", "secret"));

    assertThat(settings.database().orElseThrow().password()).contains("secret");
    assertThat(settings.toString()).contains("ann").doesNotContain("secret");
  }

  @Test
  void a_folder_beside_a_database_keeps_the_admin_token() {
    var settings =
        ServerSettings.from(Map.of("data", "d", "database-url", "postgresql://db/x"), Map.of());

    assertThat(settings.data()).isEqualTo(Path.of("d"));
    assertThat(settings.database()).isPresent();
  }

  @Test
  void a_flag_for_the_folder_outweighs_a_database_in_the_environment() {
    var environment = Map.of("CARILLON_DATABASE_URL", "postgresql://db/x");

    assertThat(ServerSettings.from(Map.of("data", "d"), environment).database()).isEmpty();
  }

  @Test
  void a_port_is_a_number_in_range() {
    for (String port : new String[] {"-1", "65536", "http", "99999999999", ""}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> ServerSettings.from(Map.of("port", port), Map.of()))
          .withMessage(
              "--port must be a number from 0 (any free port) to 65535; was '%s'".formatted(port));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServerSettings.from(Map.of(), Map.of("CARILLON_PORT", "x")))
        .withMessageStartingWith("CARILLON_PORT must be");
  }

  @Test
  void a_bad_url_is_blamed_on_where_it_came_from() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> ServerSettings.from(Map.of(), Map.of("CARILLON_DATABASE_URL", "mysql://secret")))
        .withMessageStartingWith("CARILLON_DATABASE_URL: the database URL must look like")
        .withMessageNotContaining("secret");
  }

  @Test
  void a_host_or_folder_that_is_none_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServerSettings.from(Map.of("host", " "), Map.of()))
        .withMessage("--host must be an address of this machine");
    for (String name : new String[] {"", "two\nlines"}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> ServerSettings.from(Map.of("data", name), Map.of()))
          .withMessage("--data must be a folder, without control characters in its name");
    }
  }
}
