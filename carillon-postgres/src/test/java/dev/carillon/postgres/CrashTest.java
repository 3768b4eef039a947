package dev.carillon.postgres;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CrashTest {
  @TempDir Path folder;

  @BeforeEach
  void prepare() {
    Prepared.in(folder);
  }

  @Test
  void a_server_ends_by_itself_when_its_process_is_killed() throws Exception {
    try (var other = OtherProcess.on(folder)) {
      assertThat(other.line()).isEqualTo("ready");
      ProcessHandle server = server().orElseThrow();
      other.kill();

      server.onExit().get(30, SECONDS);
      assertThat(pidFile()).doesNotExist();
    }
  }

  @Test
  void a_folder_whose_holder_was_killed_can_be_used_at_once() throws Exception {
    try (var other = OtherProcess.on(folder)) {
      assertThat(other.line()).isEqualTo("ready");
      other.kill();
    }
    try (var postgres = start()) {
      assertThat(Sql.on(postgres).ask("select sound from bell")).isEqualTo("dong");
    }
  }

  @Test
  void a_server_that_outlived_its_process_is_stopped() throws Exception {
    ProcessHandle outlived;
    try (var other = OtherProcess.on(folder)) {
      assertThat(other.line()).isEqualTo("ready");
      ProcessHandle server = server().orElseThrow();
      outlived = server;
      ProcessHandle guard = server.parent().orElseThrow();
      guard
          .children()
          .filter(child -> !child.equals(server))
          .forEach(ProcessHandle::destroyForcibly);
      guard.destroyForcibly();
      guard.onExit().get(30, SECONDS);
      other.kill();
    }
    assertThat(outlived.isAlive()).isTrue();

    try (var postgres = start()) {
      outlived.onExit().get(30, SECONDS);
      assertThat(Sql.on(postgres).ask("select sound from bell")).isEqualTo("dong");
    }
  }

  @Test
  void what_was_committed_survives_when_everything_is_killed() throws Exception {
    try (var other = OtherProcess.on(folder)) {
      assertThat(other.line()).isEqualTo("ready");
      ProcessHandle server = server().orElseThrow();
      server.destroyForcibly();
      other.kill();
      server.onExit().get(30, SECONDS);
    }
    assertThat(pidFile()).exists();

    try (var postgres = start()) {
      assertThat(Sql.on(postgres).ask("select sound from bell")).isEqualTo("dong");
    }
  }

  @Test
  void a_server_that_dies_is_noticed() throws Exception {
    try (var postgres = start()) {
      assertThat(postgres.alive()).isTrue();
      ProcessHandle guard = server().orElseThrow().parent().orElseThrow();
      server().orElseThrow().destroyForcibly();
      guard.onExit().get(30, SECONDS);

      assertThat(postgres.alive()).isFalse();
    }
  }

  @Test
  void a_process_id_that_now_belongs_to_another_program_does_not_prevent_a_start()
      throws Exception {
    var lines =
        List.of(
            Long.toString(ProcessHandle.current().pid()), folder.resolve("postgres").toString());
    Files.write(pidFile(), lines);

    try (var postgres = start()) {
      assertThat(postgres.alive()).isTrue();
    }
  }

  @Test
  void a_process_id_of_nobody_does_not_prevent_a_start() throws Exception {
    Process gone = new ProcessBuilder("true").start();
    gone.waitFor();
    Files.write(
        pidFile(), List.of(Long.toString(gone.pid()), folder.resolve("postgres").toString()));

    try (var postgres = start()) {
      assertThat(postgres.alive()).isTrue();
    }
  }

  @Test
  void signals_of_a_terminal_do_not_reach_the_server() throws Exception {
    try (var postgres = start()) {
      ProcessHandle server = server().orElseThrow();
      ProcessHandle guard = server.parent().orElseThrow();
      assertThat(group(server)).isNotEqualTo(group(ProcessHandle.current()));
      Command.of("kill", "-INT", Long.toString(guard.pid())).run();
      Command.of("kill", "-HUP", Long.toString(guard.pid())).run();

      assertThat(Sql.on(postgres).ask("select 1")).isEqualTo("1");
      assertThat(postgres.alive()).isTrue();
    }
  }

  @Test
  void a_temporary_server_cleans_up_even_when_its_process_is_killed() throws Exception {
    try (var other = OtherProcess.launch(Temporary.class)) {
      Path itsCluster = Path.of(other.line());
      assertThat(itsCluster).exists();
      ProcessHandle guard =
          ProcessHandle.of(
                  Long.parseLong(Files.readAllLines(itsCluster.resolve("postmaster.pid")).get(0)))
              .flatMap(ProcessHandle::parent)
              .orElseThrow();
      other.kill();
      guard.onExit().get(30, SECONDS);

      assertThat(itsCluster.getParent()).doesNotExist();
    }
  }

  /** A process that starts a temporary server and forgets to close it. */
  static final class Temporary {
    public static void main(String[] arguments) throws Exception {
      var postgres = LocalPostgres.temporary();
      System.out.println(Sql.on(postgres).ask("show data_directory"));
      while (System.in.read() >= 0) {}
    }
  }

  private LocalPostgres start() {
    return LocalPostgres.start(folder, "a test", step -> {});
  }

  private Path pidFile() {
    return folder.resolve("postgres/postmaster.pid");
  }

  private Optional<ProcessHandle> server() throws Exception {
    return ProcessHandle.of(Long.parseLong(Files.readAllLines(pidFile()).get(0)));
  }

  private static String group(ProcessHandle process) {
    var words = new ArrayList<>(List.of("ps", "-o", "pgid=", "-p"));
    words.add(Long.toString(process.pid()));
    return new Command(words).run().firstLine().strip();
  }
}
