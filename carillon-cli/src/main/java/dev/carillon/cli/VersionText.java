package dev.carillon.cli;

import dev.carillon.Version;
import java.io.IOException;
import java.io.InputStream;
import java.time.zone.ZoneRulesProvider;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** What {@code --version} tells: everything on which the time of a slot may depend. */
final class VersionText implements IVersionProvider {
  @Override
  public String[] getVersion() throws IOException {
    return new String[] {
      "Carillon " + Version.current(),
      "PostgreSQL " + postgres() + " (embedded)",
      "Java " + Runtime.version(),
      "Time zone rules " + ZoneRulesProvider.getVersions("UTC").lastEntry().getKey()
    };
  }

  private static String postgres() throws IOException {
    var build = new Properties();
    try (InputStream file = VersionText.class.getResourceAsStream("build.properties")) {
      build.load(file);
    }
    return build.getProperty("postgres", "unknown");
  }
}
