package dev.carillon.resilience.chaos;

import dev.carillon.resilience.cluster.Commands;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** What a fault needs around PostgreSQL. */
enum Setup {
  PLAIN,
  STANDBY,
  SMALL_DISK {
    @Override
    Optional<String> missing() {
      return Commands.isSuperuser()
          ? Optional.empty()
          : Optional.of("only the superuser can mount a small disk");
    }
  },
  STEPPED_CLOCK {
    @Override
    Optional<String> missing() {
      return Files.exists(FAKETIME)
          ? Optional.empty()
          : Optional.of("Debian's faketime is not installed");
    }
  };

  static final Path FAKETIME = Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1");

  /** Return why this machine cannot have it; empty if it can. */
  Optional<String> missing() {
    return Optional.empty();
  }
}
