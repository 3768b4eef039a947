package dev.carillon.postgres;

import java.nio.file.Path;

/**
 * The programs of PostgreSQL, ready to run.
 *
 * @param home the folder with {@code bin}, {@code lib} and {@code share}
 * @param version the version, such as {@code 18.4}
 */
record Binaries(Path home, String version) {
  String program(String name) {
    return home.resolve("bin").resolve(name).toString();
  }

  String major() {
    return version.substring(0, version.indexOf('.'));
  }
}
