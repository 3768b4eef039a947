package dev.carillon;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The version of Carillon that is running. */
public final class Version {
  private static final String RESOURCE = "/dev/carillon/version.txt";

  private Version() {}

  /** Return the version as its release is named, such as {@code 1.4.0}. */
  public static String current() {
    try (InputStream text = Version.class.getResourceAsStream(RESOURCE)) {
      if (text == null) {
        throw new IllegalStateException(RESOURCE + " is missing; build Carillon again");
      }
      return new String(text.readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
