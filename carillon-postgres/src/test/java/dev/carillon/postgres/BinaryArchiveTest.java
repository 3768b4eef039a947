package dev.carillon.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BinaryArchiveTest {
  @TempDir Path cache;

  @Test
  void programs_are_unpacked_once() {
    var steps = new ArrayList<String>();
    unpack(steps);
    Binaries again = unpack(steps);

    assertThat(steps).containsExactly("unpacking PostgreSQL 18.4");
    assertThat(Command.of(again.program("postgres"), "--version").run().firstLine())
        .isEqualTo("postgres (PostgreSQL) 18.4");
  }

  @Test
  void a_folder_that_lost_a_file_is_unpacked_again() throws Exception {
    Binaries whole = unpack(new ArrayList<>());
    Files.delete(Path.of(whole.program("initdb")));
    var steps = new ArrayList<String>();
    Binaries mended = unpack(steps);

    assertThat(steps).containsExactly("unpacking PostgreSQL 18.4");
    assertThat(Path.of(mended.program("initdb"))).isExecutable();
    assertThat(names()).containsExactly(mended.home().getFileName().toString());
  }

  @Test
  void two_processes_can_unpack_at_once() throws Exception {
    try (var one = OtherProcess.launch(Unpacking.class, cache.toString());
        var two = OtherProcess.launch(Unpacking.class, cache.toString())) {
      assertThat(List.of(one.line(), two.line())).containsOnly("postgres (PostgreSQL) 18.4");
    }
    assertThat(names()).hasSize(1);
  }

  @Test
  void a_cache_that_cannot_be_written_is_passed_over() {
    Binaries binaries =
        BinaryArchive.ofThisPlatform().unpack(List.of(Path.of("/proc/cache"), cache), step -> {});

    assertThat(binaries.home()).startsWith(cache);
  }

  @Test
  void without_any_cache_the_error_says_what_to_do() {
    assertThatThrownBy(
            () ->
                BinaryArchive.ofThisPlatform().unpack(List.of(Path.of("/proc/cache")), step -> {}))
        .hasMessageStartingWith("PostgreSQL cannot be unpacked into /proc/cache: ")
        .hasMessageEndingWith("; free some space, or set XDG_CACHE_HOME to a folder you can write");
  }

  @Test
  void a_platform_without_programs_is_named() {
    assertThatThrownBy(() -> BinaryArchive.of("Windows 11", "amd64"))
        .hasMessage(
            "this build of Carillon brings no PostgreSQL for windows-x86_64; build it on that platform, or use a PostgreSQL of yours with --database-url");
  }

  /** A process that unpacks into a given cache and asks the server for its version. */
  static final class Unpacking {
    public static void main(String[] arguments) {
      Binaries binaries =
          BinaryArchive.ofThisPlatform().unpack(List.of(Path.of(arguments[0])), step -> {});
      System.out.println(Command.of(binaries.program("postgres"), "--version").run().firstLine());
    }
  }

  private Binaries unpack(List<String> steps) {
    return BinaryArchive.ofThisPlatform().unpack(List.of(cache), steps::add);
  }

  private List<String> names() throws Exception {
    try (var files = Files.list(cache)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}
