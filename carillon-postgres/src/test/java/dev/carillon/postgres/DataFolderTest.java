package dev.carillon.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataFolderTest {
  @TempDir Path folder;

  @Test
  void a_folder_in_use_by_another_process_names_its_holder() throws Exception {
    Prepared.in(folder);
    try (var other = OtherProcess.on(folder)) {
      assertThat(other.line()).isEqualTo("ready");

      assertThatThrownBy(this::start)
          .isInstanceOf(PostgresException.class)
          .message()
          .matches(
              "data folder \\S+ is in use by carillon serve, process %d, since \\S+Z, http://127.0.0.1:8080; stop it, or choose another folder with --data"
                  .formatted(other.pid()));
      other.finish();
      start().close();
    }
  }

  @Test
  void a_folder_in_use_by_this_process_stays_in_use_after_a_second_try() throws Exception {
    Prepared.in(folder);
    try (var postgres = start()) {
      postgres.announce("http://127.0.0.1:9090");
      assertThatThrownBy(this::start)
          .hasMessageContaining("in use by a test, process " + ProcessHandle.current().pid())
          .hasMessageContaining(", http://127.0.0.1:9090; stop it");

      try (var other = OtherProcess.on(folder)) {
        assertThat(other.line()).contains("is in use by a test, process");
      }
    }
    start().close();
  }

  @Test
  void a_folder_with_files_of_others_is_left_alone() throws IOException {
    Files.writeString(folder.resolve("thesis.txt"), "precious");

    assertThatThrownBy(this::start)
        .hasMessage(
            "folder %s holds files that are not Carillon's; choose an empty or new one with --data"
                .formatted(folder));
    try (var files = Files.list(folder)) {
      assertThat(files).containsExactly(folder.resolve("thesis.txt"));
    }
  }

  @Test
  void the_root_of_a_mounted_disk_counts_as_empty() throws IOException {
    Files.createDirectory(folder.resolve("lost+found"));
    DataFolder.lock(folder, "a test").release();
  }

  @Test
  void data_of_another_major_version_is_left_alone() throws IOException {
    Prepared.in(folder);
    Files.writeString(folder.resolve("postgres/PG_VERSION"), "17\n");

    assertThatThrownBy(this::start)
        .hasMessage(
            "data folder %s was written by PostgreSQL 17, and this Carillon brings PostgreSQL 18; start the Carillon that wrote it, or choose another folder with --data"
                .formatted(folder.toRealPath()));
  }

  @Test
  void a_file_in_place_of_the_folder_is_named() throws IOException {
    Path file = Files.createFile(folder.resolve("data"));

    assertThatThrownBy(() -> DataFolder.lock(file, "a test"))
        .hasMessage(
            "data folder %s cannot be used: a file of that name is in the way; make it writable for you, or choose another with --data"
                .formatted(file));
  }

  @Test
  void a_folder_that_cannot_be_created_is_named() throws IOException {
    Path inside = Path.of("/proc/carillon/data");

    assertThatThrownBy(() -> DataFolder.lock(inside, "a test"))
        .isInstanceOf(PostgresException.class)
        .hasMessageStartingWith("data folder /proc/carillon/data cannot be used: ")
        .hasMessageEndingWith("; make it writable for you, or choose another with --data");
  }

  @Test
  void memory_is_used_only_where_there_is_enough() {
    assertThat(DataFolder.hasSpace(folder, 1)).isTrue();
    assertThat(DataFolder.hasSpace(folder, Long.MAX_VALUE)).isFalse();
    assertThat(DataFolder.hasSpace(folder.resolve("not-mounted"), 1)).isFalse();
  }

  @Test
  void a_start_that_fails_lets_go_of_the_folder() throws IOException {
    Prepared.in(folder);
    Path version = folder.resolve("postgres/PG_VERSION");
    Files.writeString(version, "17\n");
    assertThatThrownBy(this::start).isInstanceOf(PostgresException.class);
    Files.writeString(version, "18\n");
    start().close();
  }

  @Test
  void a_server_that_cannot_start_gives_its_own_reason() throws IOException {
    Prepared.in(folder);
    Files.writeString(folder.resolve("postgres/postgresql.auto.conf"), "bells = 9\n");

    assertThatThrownBy(this::start)
        .hasMessage(
            "PostgreSQL did not start: configuration file \"%1$s/postgres/postgresql.auto.conf\" contains errors; %1$s/postgres.log tells more"
                .formatted(folder.toRealPath()));
  }

  private LocalPostgres start() {
    return LocalPostgres.start(folder, "a test", step -> {});
  }
}
