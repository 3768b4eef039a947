package dev.carillon.postgres;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The options of a server: durable, or temporary for tests.
 *
 * @param initdbOptions additional options of {@code initdb}
 * @param settings the server's settings, each as {@code name=value}
 */
record ServerProfile(List<String> initdbOptions, List<String> settings) {
  private static final String PORT = "port=";
  private static final List<String> COMMON =
      List.of(
          "listen_addresses=127.0.0.1",
          "unix_socket_directories=",
          "max_connections=100",
          "reserved_connections=20", // for the roles of Carillon, whoever else connects
          "authentication_timeout=5s",
          "timezone=UTC",
          "log_timezone=UTC",
          "log_checkpoints=off",
          "jit=off");

  /** For real data: committed transactions survive a crash of the machine. */
  static final ServerProfile DURABLE =
      new ServerProfile(
          List.of(),
          commonAnd(
              "fsync=on",
              "full_page_writes=on",
              "synchronous_commit=on",
              "shared_buffers=128MB",
              "max_wal_size=1GB",
              "autovacuum_naptime=15s"));

  /** For tests: the folder is deleted with the server, so nothing has to reach the disk. */
  static final ServerProfile TEMPORARY =
      new ServerProfile(
          List.of("--no-sync", "--wal-segsize=1"),
          commonAnd(
              "fsync=off",
              "full_page_writes=off",
              "synchronous_commit=off",
              "shared_buffers=32MB",
              "io_method=sync"));

  /** Return these options with {@code more} settings; the last value of a name counts. */
  ServerProfile with(List<String> more) {
    return new ServerProfile(
        initdbOptions, Stream.concat(settings.stream(), more.stream()).toList());
  }

  Optional<Integer> port() {
    return settings.stream()
        .filter(setting -> setting.startsWith(PORT))
        .reduce((first, last) -> last)
        .map(setting -> Integer.valueOf(setting.substring(PORT.length()).strip()));
  }

  private static List<String> commonAnd(String... more) {
    return Stream.concat(COMMON.stream(), Stream.of(more)).toList();
  }
}
