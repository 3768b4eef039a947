package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** {@code carillon schedule apply --prune} against a real server. */
@ExtendWith(EmbeddedPostgres.class)
class ApplyCommandsTest {
  private final RealServer server;

  ApplyCommandsTest(PostgresServer postgres, @TempDir Path folder) {
    server = new RealServer(postgres, postgres.createMigrated(), folder, Map.of());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void what_is_no_longer_in_the_files_is_retired_and_only_that() throws Exception {
    server.ok("schedule create foreign --target noop --in P1D");
    server.ok("schedule create tagged-too --target noop --in P1D --tag theirs");
    server.write("all/one.yaml", schedule("one", "PT1H"));
    server.write("all/two.yaml", schedule("two", "PT2H"));
    server.ok("schedule apply -f all --prune mine");

    server.write("all/two.yaml", schedule("three", "PT3H"));
    String plan =
        """
        create    three
        retire    two
        Plan: 1 to create, 0 to change, 1 to retire, 1 unchanged.
        """;
    Answer dry = server.run("schedule apply -f all --prune mine --dry-run --exit-code");
    assertThat(dry).isEqualTo(new Answer(6, plan, ""));
    assertThat(status("two")).isEqualTo("active");
    assertThat(server.run("schedule get three").code()).isEqualTo(3);

    assertThat(server.ok("schedule apply -f all --prune mine")).isEqualTo(plan + "Applied.\n");
    assertThat(status("two")).isEqualTo("retired");
    assertThat(status("three")).isEqualTo("active");
    assertThat(status("foreign")).isEqualTo("active");
    assertThat(status("tagged-too")).isEqualTo("active");
  }

  @Test
  void applying_again_changes_nothing_and_what_comes_back_fires_again() throws Exception {
    server.write("all.yaml", schedule("one", "PT1H") + "---\n" + schedule("two", "PT2H"));
    server.ok("schedule apply -f all.yaml --prune mine");
    server.write("all.yaml", schedule("one", "PT1H"));
    server.ok("schedule apply -f all.yaml --prune mine");

    JsonNode nothing = server.json("schedule apply -f all.yaml --prune mine");
    assertThat(nothing.at("/plan")).hasSize(1);
    assertThat(nothing.at("/plan/0/action").asText()).isEqualTo("unchanged");
    assertThat(server.ok("schedule apply -f all.yaml --prune mine --dry-run --exit-code"))
        .isEqualTo("Plan: 0 to create, 0 to change, 0 to retire, 1 unchanged.\n");
    assertThat(server.json("schedule get one").path("version").asInt()).isEqualTo(1);

    server.write("all.yaml", schedule("one", "PT1H") + "---\n" + schedule("two", "PT2H"));
    assertThat(server.ok("schedule apply -f all.yaml --prune mine")).contains("two", "Applied.");
    assertThat(status("two")).isEqualTo("active");
    assertThat(server.ok("schedule apply -f all.yaml --prune mine"))
        .isEqualTo("Plan: 0 to create, 0 to change, 0 to retire, 2 unchanged.\n");
  }

  @Test
  void without_the_tag_in_every_document_nothing_is_done() throws Exception {
    server.write("all.yaml", "key: one\ntarget: noop\ntiming: {every: PT1H}\n");

    Answer refused = server.run("schedule apply -f all.yaml --prune mine");

    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err()).contains("all.yaml:1", "'one' has no tag 'mine'");
    assertThat(server.run("schedule get one").code()).isEqualTo(3);
  }

  private String status(String key) throws Exception {
    return server.json("schedule get " + key).path("status").asText();
  }

  private static String schedule(String key, String every) {
    return "key: %s\ntarget: noop\ntiming: {every: %s}\ntags: [mine]\n".formatted(key, every);
  }
}
