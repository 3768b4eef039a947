package dev.carillon.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Properties;

/** Files on the class path. */
final class Resources {
  private static final Properties VERSIONS = versions();

  private Resources() {}

  static String text(String name) {
    try (InputStream file = Resources.class.getResourceAsStream(name)) {
      if (file == null) {
        throw new IllegalStateException(name + " is not on the class path");
      }
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String icon() {
    return text("/dev/carillon/console/web/icon.svg");
  }

  /** Return the version of {@code webjar} that the build has put beside us. */
  static String version(String webjar) {
    return VERSIONS.getProperty(webjar);
  }

  private static Properties versions() {
    var versions = new Properties();
    try (InputStream file = Resources.class.getResourceAsStream("libraries.properties")) {
      versions.load(file);
      return versions;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
