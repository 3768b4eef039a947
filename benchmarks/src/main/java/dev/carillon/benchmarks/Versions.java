package dev.carillon.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The versions of the libraries that are measured, as the build pinned them. */
public final class Versions {
  private Versions() {}

  /** List {@code titles} with their versions. */
  public static String of(Stream<String> titles) throws IOException {
    var versions = new Properties();
    try (InputStream in = Versions.class.getResourceAsStream("versions.properties")) {
      versions.load(Objects.requireNonNull(in, "versions.properties is missing from the jar"));
    }
    return titles
        .map(title -> title + " " + versions.getProperty(title))
        .collect(Collectors.joining(", "));
  }
}
