package dev.carillon.cli.remote;

import dev.carillon.time.UnknownZoneException;
import dev.carillon.time.Zones;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** On which clock the dates and times are that a command is given. */
public final class ZoneOption {
  @Option(
      names = {"-z", "--zone"},
      paramLabel = "ZONE",
      order = 92,
      description =
          "Time zone of dates and times that name none, such as Europe/Rome (default: UTC).")
  private @Nullable String zone;

  /** Return what reads the values of options. */
  public OptionValues given(Session session) {
    return zone == null
        ? new OptionValues(session.environment())
        : new OptionValues(session.environment(), zone(zone));
  }

  /** Read the name of a time zone. */
  public static ZoneId zone(String name) {
    try {
      return Zones.of(name);
    } catch (UnknownZoneException e) {
      throw Session.wrong("--zone: %s", String.valueOf(e.getMessage()));
    }
  }
}
