package dev.carillon.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostgresAccountTest {
  @TempDir Path folder;

  @BeforeEach
  void only_root_can_become_somebody_else() {
    assumeTrue(PostgresAccount.isRoot(), "not root, so there is no account to choose");
  }

  @Test
  void every_way_to_become_another_user_runs_a_command_with_its_arguments() {
    assertThat(PostgresAccount.waysToSwitchTo("nobody"))
        .allSatisfy(
            account ->
                assertThat(
                        new Command(
                                account.runAs(
                                    List.of("sh", "-c", "id -un; echo \"$1\"", "-", "-D a")))
                            .run()
                            .lines())
                    .containsExactly("nobody", "-D a"));
  }

  @Test
  void a_folder_that_belongs_to_somebody_stays_theirs() throws Exception {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path data = Files.createDirectory(folder.resolve("data"));
    Command.of("chown", "nobody", data.toString()).run();
    try (var postgres = LocalPostgres.start(data, "a test", step -> {})) {
      assertThat(Sql.on(postgres).ask("select 1")).isEqualTo("1");
    }
    LocalPostgres.start(data, "a test", step -> {}).close();

    try (var files = Files.walk(data)) {
      assertThat(files).allMatch(file -> owner(file).equals("nobody"));
    }
  }

  @Test
  void a_folder_that_its_owner_cannot_reach_is_named() throws Exception {
    Path data = Files.createDirectory(folder.resolve("data"));
    Command.of("chown", "nobody", data.toString()).run();

    assertThatThrownBy(() -> LocalPostgres.start(data, "a test", step -> {}))
        .hasMessage(
            "PostgreSQL must run as user nobody here, who cannot reach %s; choose a data folder outside of root's home with --data, or start Carillon as an ordinary user"
                .formatted(data.toRealPath()));
  }

  private static String owner(Path file) {
    return Command.of("stat", "-c", "%U", file.toString()).run().firstLine();
  }
}
