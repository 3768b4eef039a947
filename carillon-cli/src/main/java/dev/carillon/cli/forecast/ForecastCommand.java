package dev.carillon.cli.forecast;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.DateTimeReader.Edge;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.OptionValues;
import dev.carillon.cli.remote.Session;
import dev.carillon.cli.remote.ZoneOption;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code carillon forecast}. */
@Command(
    name = "forecast",
    description = {
      "Count the fires to come of all schedules by minute, and find the worst minutes.",
      "",
      "Shows who is in the worst minutes, and what spreading them with H or jitter would do. With -o",
      "json or yaml, the number of fires of every minute is there as well."
    },
    footer = {
      "",
      "Examples:",
      "  carillon forecast",
      "  carillon forecast --from tomorrow --to tomorrow --zone Europe/Rome",
      "  carillon forecast --to now+7d -o json"
    })
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class ForecastCommand implements Runnable {
  @Mixin private Session session;

  @Mixin private ZoneOption zone;

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description = "First day or moment, not in the past (default: now).")
  private @Nullable String from;

  @Option(
      names = "--to",
      paramLabel = "TIME",
      description = "Last day, or the moment after; at most 7 days later (default: a day later).")
  private @Nullable String to;

  @Override
  public void run() {
    OptionValues optionValues = zone.optionValues(session);
    JsonNode forecast =
        session.ask(
            Call.get("forecast")
                .with("from", optionValues.moment("--from", from, Edge.FIRST))
                .with("to", optionValues.moment("--to", to, Edge.AFTER)));
    session.print(forecast, output -> LoadText.print(forecast, output));
  }
}
