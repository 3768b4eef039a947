package dev.carillon.postgres;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a server is for, which decides how it is set up.
 *
 * @param creation what {@code initdb} is told beyond the usual
 * @param settings the server's settings, each as {@code name=value}
 */
record Purpose(List<String> creation, List<String> settings) {
  private static final String PORT = "port=";
  private static final List<String> COMMON =
      List.of(
          "listen_addresses=127.0.0.1",
          "unix_socket_directories=",
          "max_connections=100",
          "timezone=UTC",
          "log_timezone=UTC",
          "log_checkpoints=off",
          "jit=off");

  /** Keeping data: whatever was acknowledged survives a crash of the machine. */
  static final Purpose DURABLE =
      new Purpose(
          List.of(),
          commonAnd(
              "fsync=on",
              "full_page_writes=on",
              "synchronous_commit=on",
              "shared_buffers=128MB",
              "max_wal_size=1GB",
              "autovacuum_naptime=15s"));

  /** Serving tests: the folder never outlives the server, so nothing has to reach the disk. */
  static final Purpose TEMPORARY =
      new Purpose(
          List.of("--no-sync", "--wal-segsize=1"),
          commonAnd(
              "fsync=off",
              "full_page_writes=off",
              "synchronous_commit=off",
              "shared_buffers=32MB",
              "io_method=sync"));

  /** Return this purpose with {@code more} settings, of which the last of a name counts. */
  Purpose with(List<String> more) {
    return new Purpose(creation, Stream.concat(settings.stream(), more.stream()).toList());
  }

  /** Return the port that the settings name, if they do. */
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
