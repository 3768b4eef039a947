package dev.carillon.cli.remote;

import dev.carillon.time.UnknownZoneException;
import dev.carillon.time.Zones;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option for the time zone of dates and times in other options. */
public final class ZoneOption {
  @Option(
      names = {"-z", "--zone"},
      paramLabel = "ZONE",
      order = 92,
      description =
          "Time zone of dates and times that name none, such as Europe/Rome (default: UTC).")
  private @Nullable String zone;

  /** Return the zone as it was given. */
  public @Nullable String given() {
    return zone;
  }

  /** Return what reads the values of options. */
  public OptionValues optionValues(Session session) {
    return optionValues(session, zone);
  }

  /** Return what reads the values of options, with times in {@code zone}; UTC if there is none. */
  public static OptionValues optionValues(Session session, @Nullable String zone) {
    try {
      return new OptionValues(
          session.environment(), zone == null ? ZoneOffset.UTC : Zones.of(zone));
    } catch (UnknownZoneException e) {
      throw Session.wrong("--zone: %s", String.valueOf(e.getMessage()));
    }
  }
}
