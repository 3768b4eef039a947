package dev.carillon.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.DateTimeReader.Edge;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Session;
import dev.carillon.cli.remote.ZoneOption;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code carillon explain}. */
@Command(
    name = "explain",
    description = "Say why a schedule did, did not, or will or will not run at some moment.",
    footer = {
      "",
      "Examples:",
      "  carillon explain nightly --at '2027-03-28 02:30'",
      "  carillon explain nightly --at 2027-03-28T01:00:00Z -o json",
      "  carillon explain nightly --at 'tomorrow 02:30'"
    })
public final class ExplainCommand implements Runnable {
  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Session session;

  @Parameters(paramLabel = "KEY", description = "Key of the schedule.")
  private String key = "";

  @Option(
      names = "--at",
      paramLabel = "TIME",
      required = true,
      description = "The moment, as in '2027-03-28 02:30', now-2h or 2027-03-28T01:00:00Z.")
  private String at = "";

  @Option(
      names = {"-z", "--zone"},
      paramLabel = "ZONE",
      order = 92,
      description = "Time zone of a moment that names none (default: that of the schedule).")
  private @Nullable String zone;

  @Override
  public void run() {
    JsonNode explanation =
        session.ask(
            Call.get("schedules", key, "explain")
                .with(
                    "at", ZoneOption.optionValues(session, zone()).moment("--at", at, Edge.FIRST)));
    session.print(explanation, output -> ExplanationText.show(key, explanation, output));
  }

  private @Nullable String zone() {
    if (zone != null) {
      return zone;
    }
    String own = Json.text(session.ask(Call.get("schedules", key)), "/timing/zone");
    return own.isEmpty() ? null : own;
  }
}
