package dev.carillon.postgres;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
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
  void a_server_that_dies_is_restarted_on_its_port_and_the_terminal_says_so() throws Exception {
    var said = new LinkedBlockingQueue<String>();
    try (var postgres = LocalPostgres.start(folder, "a test", said::add)) {
      Sql.on(postgres).run("create table bell as select 'ding' as sound");
      int port = postgres.port();
      said.clear();
      server().orElseThrow().destroyForcibly();

      assertThat(said.poll(30, SECONDS))
          .isEqualTo("PostgreSQL is not running: it ended by itself; restarting it");
      assertThat(said.poll(30, SECONDS)).isEqualTo("PostgreSQL is running again");
      assertThat(postgres.port()).isEqualTo(port);
      assertThat(postgres.problem()).isEmpty();
      assertThat(Sql.on(postgres).ask("select count(*) from bell")).isEqualTo("1");
    }
  }

  @Test
  void a_server_that_keeps_dying_is_given_up() throws Exception {
    var said = new LinkedBlockingQueue<String>();
    DataFolder locked = DataFolder.lock(folder, "a test");
    Binaries binaries =
        BinaryArchive.ofThisPlatform().unpack(BinaryArchive.caches(folder), step -> {});
    var cluster =
        new PostgresCluster(
            locked, binaries, PostgresAccount.choose(locked), ServerProfile.DURABLE);
    cluster.open(step -> {});
    KeptPostgres postgres =
        KeptPostgres.start(
            cluster, new RestartLimit(2, Duration.ofMinutes(10), Duration.ZERO), said::add);
    try {
      said.clear();
      Files.delete(folder.resolve("postgres/PG_VERSION")); // so that it cannot start again
      server().orElseThrow().destroyForcibly();

      assertThat(said.poll(30, SECONDS)).contains("it ended by itself; restarting it");
      assertThat(said.poll(30, SECONDS)).contains("is not a valid data directory");
      String last = said.poll(30, SECONDS);
      assertThat(last)
          .startsWith(
              "the embedded PostgreSQL was restarted 2 times within 10 minutes and is not again")
          .contains("postgres.log");
      assertThat(postgres.alive()).isFalse();
      assertThat(postgres.problem()).contains(last);
    } finally {
      postgres.stop();
      locked.release();
    }
  }

  @Test
  void closing_while_a_server_is_restarted_ends_it_for_good() throws Exception {
    var postgres = start();
    ProcessHandle server = server().orElseThrow();
    server.destroyForcibly();
    postgres.close();

    server.onExit().get(30, SECONDS);
    assertThat(postgres.alive()).isFalse();
    LocalPostgres.start(folder, "a test", step -> {}).close();
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
