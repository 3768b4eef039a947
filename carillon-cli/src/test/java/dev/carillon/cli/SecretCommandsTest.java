package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** {@code carillon secret …} beside a server at work, and what backups say of keys. */
@ExtendWith(EmbeddedPostgres.class)
class SecretCommandsTest {
  private final PostgresServer postgres;
  @TempDir Path folder;

  SecretCommandsTest(PostgresServer postgres) {
    this.postgres = postgres;
  }

  @Test
  void keys_are_counted_and_changed_and_a_restore_names_those_that_are_missing() throws Exception {
    String name = postgres.createMigrated();
    String url = RealServer.url(postgres, name);
    String fresh = Answer.to("secret", "new-key").out().strip();
    String id = fresh.substring(0, fresh.indexOf(':'));
    Path keys = Files.writeString(folder.resolve("keys"), RealServer.KEY + "\n" + fresh);
    Path old = Files.writeString(folder.resolve("old"), RealServer.KEY);
    Path rotated = Files.writeString(folder.resolve("rotated"), fresh + "\n" + RealServer.KEY);
    try (var server =
        new RealServer(postgres, name, folder, Map.of("secret-key-file", keys.toString()))) {
      server
          .rest()
          .put("/targets/hook", "{\"type\": \"http\", \"url\": \"https://hook.invalid/?key=x\"}");

      assertThat(secret("status", url, keys).out()).isEqualTo("key test: 1 target (current)\n");
      Answer done = secret("rotate", url, rotated);
      assertThat(done.err()).isEmpty();
      assertThat(done.out()).isEqualTo("encrypted 1 target with key %s\n".formatted(id));
      assertThat(secret("rotate", url, rotated).out()).startsWith("encrypted 0 targets");
      Answer lacking = secret("status", url, old);
      assertThat(lacking.code()).isEqualTo(1);
      assertThat(lacking.out()).contains("key %s: 1 target (NOT KNOWN HERE".formatted(id));
    }
    Path file = folder.resolve("carillon.backup");
    assertThat(Answer.to("backup", file.toString(), "--database-url", url).out())
        .contains("encrypted with key " + id, "not in the file");
    String other = RealServer.url(postgres, postgres.createEmpty());
    assertThat(Answer.to("restore", file.toString(), "--database-url", other).out())
        .contains("encrypted with key %s, which is not known here".formatted(id));
  }

  @Test
  void a_rotation_to_a_key_that_servers_at_work_lack_changes_nothing() throws Exception {
    String name = postgres.createMigrated();
    String url = RealServer.url(postgres, name);
    String fresh = Answer.to("secret", "new-key").out().strip();
    Path rotated = Files.writeString(folder.resolve("rotated"), fresh + "\n" + RealServer.KEY);
    try (var server = new RealServer(postgres, name, folder, Map.of())) {
      server
          .rest()
          .put("/targets/hook", "{\"type\": \"http\", \"url\": \"https://hook.invalid/?key=x\"}");

      Answer refused = secret("rotate", url, rotated);

      assertThat(refused.code()).isEqualTo(1);
      assertThat(refused.err()).contains("start them again, and rotate then");
      assertThat(secret("status", url, rotated).out()).contains("key test: 1 target (known)");
    }
  }

  @Test
  void a_rotation_without_a_key_says_how_to_name_one() {
    Answer answer =
        Answer.to(
            "secret",
            "rotate",
            "--database-url",
            RealServer.url(postgres, postgres.createMigrated()));

    assertThat(answer.code()).isEqualTo(1);
    assertThat(answer.err()).contains("--secret-key-file", "CARILLON_SECRET_KEY");
  }

  @Test
  void a_link_is_made_by_an_administrator() {
    try (var server = new RealServer(postgres, postgres.createMigrated(), folder, Map.of())) {
      assertThat(server.ok("sign-in-link")).matches(server.url() + "/sign-in#[A-Za-z0-9_-]{43}\n");
    }
  }

  private static Answer secret(String command, String url, Path keys) {
    return Answer.to(
        "secret", command, "--database-url", url, "--secret-key-file", keys.toString());
  }
}
