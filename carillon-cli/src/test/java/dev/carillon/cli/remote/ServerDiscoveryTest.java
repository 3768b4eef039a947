package dev.carillon.cli.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.cli.Around;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServerDiscoveryTest {
  @TempDir Path folder;
  private Around around = Around.in(Path.of(""));

  @BeforeEach
  void here() {
    around = Around.in(folder);
  }

  @Test
  void without_anything_it_is_this_machine_and_nobody_asks() {
    Endpoint found = find(null, null);

    assertThat(found.server()).hasToString("http://127.0.0.1:8080");
    assertThat(found.token()).isEmpty();
  }

  @Test
  void the_data_folder_of_a_server_tells_where_it_is_and_who_asks() throws IOException {
    serverHere();

    Endpoint found = find(null, null);

    assertThat(found.server()).hasToString("http://127.0.0.1:9123");
    assertThat(found.token()).contains("crl_of-the-folder");
    assertThat(found).asString().doesNotContain("crl_").contains("admin-token");
  }

  @Test
  void variables_outweigh_the_folder_and_options_outweigh_variables() throws IOException {
    serverHere();
    around =
        around
            .with("CARILLON_SERVER", "https://carillon.example/")
            .with("CARILLON_TOKEN", "crl_of-the-variable\n");

    assertThat(find(null, null).server()).hasToString("https://carillon.example");
    assertThat(find(null, null).token()).contains("crl_of-the-variable");
    assertThat(find("http://[::1]:1", "crl_of-the-option").server()).hasToString("http://[::1]:1");
    assertThat(find(null, "crl_of-the-option").token()).contains("crl_of-the-option");
  }

  @Test
  void the_token_of_the_folder_never_leaves_this_machine() throws IOException {
    serverHere();

    assertThat(find("https://carillon.example", null).token()).isEmpty();
    assertThat(find("http://127.0.0.1.example", null).token()).isEmpty();
    assertThat(find("http://localhost:9123", null).token()).contains("crl_of-the-folder");
  }

  @Test
  void any_address_of_this_machine_is_this_machine() throws Exception {
    serverHere();
    InetAddress own = InetAddress.getLocalHost();

    assertThat(find("http://0.0.0.0:9123", null).token()).contains("crl_of-the-folder");
    assertThat(find("http://[::]:9123", null).token()).contains("crl_of-the-folder");
    assertThat(find("http://" + own.getHostAddress() + ":1", null).token())
        .contains("crl_of-the-folder");
    assertThat(find("http://192.0.2.1:9123", null).token()).isEmpty();
  }

  @Test
  void a_server_that_names_this_machine_by_its_name_is_believed() throws Exception {
    serverHere();
    String name = InetAddress.getLocalHost().getHostName();
    Files.writeString(
        folder.resolve("carillon-data/server.json"),
        "{\"url\":\"https://%s:9123\",\"pid\":1}\n".formatted(name));

    assertThat(find(null, null).token()).contains("crl_of-the-folder");
    assertThat(find("https://" + name + ":9123", null).token()).isEmpty();
  }

  @Test
  void another_folder_can_be_named() throws IOException {
    serverHere();
    Files.move(folder.resolve("carillon-data"), folder.resolve("other"));

    assertThat(find(null, null).token()).isEmpty();
    around = around.with("CARILLON_DATA", "other");
    assertThat(find(null, null).token()).contains("crl_of-the-folder");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"localhost:8080", "ftp://x", "http://", "http://u:p@x", "http://x?a", "h ttp"})
  void what_is_no_address_of_a_server_is_refused_without_repeating_it(String address) {
    assertThatThrownBy(() -> find(address, null))
        .hasMessage("--server must be the address of a server, such as http://127.0.0.1:8080");
  }

  @Test
  void what_cannot_be_a_token_is_refused_without_repeating_it() {
    assertThatThrownBy(() -> find(null, "crl_a b"))
        .hasMessage(
            "the token from --token cannot be one: it has blanks or characters that no token has");
  }

  @Test
  void a_token_is_exposed_on_plain_http_to_another_machine_only() {
    assertThat(find("http://carillon.example", "crl_x").exposesToken()).isTrue();
    assertThat(find("https://carillon.example", "crl_x").exposesToken()).isFalse();
    assertThat(find("http://127.0.0.2:1", "crl_x").exposesToken()).isFalse();
    assertThat(find("http://carillon.example", null).exposesToken()).isFalse();
  }

  private void serverHere() throws IOException {
    Path data = Files.createDirectories(folder.resolve("carillon-data"));
    Files.writeString(
        data.resolve("server.json"), "{\"url\":\"http://127.0.0.1:9123\",\"pid\":1}\n");
    Files.writeString(data.resolve("admin-token"), "crl_of-the-folder\n");
  }

  private Endpoint find(@Nullable String server, @Nullable String token) {
    return new ServerDiscovery(around.environment(), Optional.empty())
        .find(Optional.ofNullable(server), Optional.ofNullable(token), false);
  }
}
