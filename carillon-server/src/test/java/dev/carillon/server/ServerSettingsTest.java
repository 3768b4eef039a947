package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ServerSettingsTest {
  @Test
  void nothing_set_means_loopback_and_an_embedded_database() {
    assertThat(ServerSettings.from(Map.of(), Map.of()))
        .isEqualTo(
            new ServerSettings("127.0.0.1", 8080, Path.of("carillon-data"), Optional.empty()));
  }

  @Test
  void the_environment_sets_and_a_flag_outweighs_it() {
    var environment =
        Map.of("CARILLON_PORT", "9000", "CARILLON_HOST", "::1", "CARILLON_DATA", "/d");
    var settings = ServerSettings.from(Map.of("port", "9001"), environment);

    assertThat(settings)
        .isEqualTo(new ServerSettings("::1", 9001, Path.of("/d"), Optional.empty()));
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
  void a_folder_and_a_database_exclude_each_other() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                ServerSettings.from(
                    Map.of("data", "d", "database-url", "postgresql://db/x"), Map.of()))
        .withMessage(
            "--data and --database-url exclude each other: the folder is for the embedded"
                + " PostgreSQL; drop one");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                ServerSettings.from(
                    Map.of(), Map.of("CARILLON_DATA", "d", "CARILLON_DATABASE_URL", "x")))
        .withMessageStartingWith("CARILLON_DATA and CARILLON_DATABASE_URL exclude each other");
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
