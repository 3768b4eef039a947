package dev.carillon.postgres;

import static org.assertj.core.api.Assertions.assertThat;
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
  void root_runs_it_under_an_unprivileged_account_that_owns_its_files_and_no_others()
      throws Exception {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    Path data = folder.resolve("home/data"); // below a folder that only root can enter
    Files.createDirectory(folder.resolve("home"));
    try (var postgres = LocalPostgres.start(data, "a test", step -> {})) {
      Files.writeString(data.resolve("admin.token"), "secret");
      assertThat(Sql.on(postgres).ask("select 1")).isEqualTo("1");
      assertThat(uidOf(postmaster(data))).isNotEqualTo("0");
      assertThat(owner(data.resolve("postgres"))).isNotEqualTo("root");
    }
    Command.of("chown", "-R", "root", data.toString()).run(); // as an earlier version left it
    try (var postgres = LocalPostgres.start(data, "a test", step -> {})) {
      assertThat(uidOf(postmaster(data))).isNotEqualTo("0");
      assertThat(owner(data.resolve("admin.token"))).isEqualTo("root");
      assertThat(owner(data.resolve("postgres.password"))).isEqualTo("root");
      Sql.on(postgres).run("create table program_output (line text)");
      Sql.on(postgres).run("copy program_output from program 'cat /etc/shadow || echo denied'");
      assertThat(Sql.on(postgres).ask("select line from program_output")).isEqualTo("denied");
    }
  }

  private static String postmaster(Path data) throws Exception {
    return Files.readAllLines(data.resolve("postgres/postmaster.pid")).get(0);
  }

  private static String uidOf(String process) {
    return Command.of("stat", "-c", "%u", "/proc/" + process).run().firstLine();
  }

  private static String owner(Path file) {
    return Command.of("stat", "-c", "%U", file.toString()).run().firstLine();
  }
}
