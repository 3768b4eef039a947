package dev.carillon.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Session;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code carillon schedule get}. */
@Command(
    name = "get",
    description = "Show a schedule: its definition, its state, and when it fires next.",
    footer = {
      "",
      "Examples:",
      "  carillon schedule get nightly",
      "  carillon schedule get nightly --definition -o yaml > nightly.yaml"
    })
final class GetCommand implements Runnable {
  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Session session;

  @Parameters(paramLabel = "KEY", description = "Key of the schedule.")
  private String key = "";

  @Option(
      names = "--definition",
      description = "Only what defines it: with -o yaml or json, what 'schedule apply' takes.")
  private boolean definition;

  @Override
  public void run() {
    JsonNode schedule = session.ask(Call.get("schedules", key));
    session.print(
        definition ? Definition.of(schedule) : schedule,
        output -> ScheduleText.show(definition ? Definition.of(schedule) : schedule, output));
  }
}
