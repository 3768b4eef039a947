package dev.carillon.server.api;

import dev.carillon.time.Cron;
import dev.carillon.time.Every;
import dev.carillon.time.EveryPeriod;
import dev.carillon.time.Timing;
import dev.carillon.time.Zones;
import java.time.ZoneId;
import java.util.Optional;

/** Timings as cron expressions, for the contracts that know no others. */
public final class Expressions {
  private static final String UTC = "UTC";

  private Expressions() {}

  /** Return the expression of a timing that repeats. */
  public static Optional<String> of(Timing timing) {
    if (timing instanceof Cron cron) {
      return Optional.of(cron.expression());
    }
    if (timing instanceof EveryPeriod every) {
      return Optional.of("@every " + every.period());
    }
    return timing instanceof Every every
        ? Optional.of("@every %ss".formatted(every.period().toSeconds()))
        : Optional.empty();
  }

  /** Return the zone in which it is read; UTC for what no zone moves. */
  public static String zone(Timing timing) {
    return Zones.of(timing).map(ZoneId::getId).orElse(UTC);
  }
}
