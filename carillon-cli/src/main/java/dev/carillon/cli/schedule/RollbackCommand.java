package dev.carillon.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Session;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command {@code carillon schedule rollback}. */
@Command(
    name = "rollback",
    description = "Go back to an earlier definition, as a new version.",
    footer = {"", "Example:", "  carillon schedule rollback nightly 3"})
final class RollbackCommand implements Runnable {
  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Session session;

  @Parameters(index = "0", paramLabel = "KEY", description = "Key of the schedule.")
  private String key = "";

  @Parameters(
      index = "1",
      paramLabel = "VERSION",
      description = "The version to go back to; 'schedule versions' lists them.")
  private int version;

  @Override
  public void run() {
    Call call = Call.post("schedules", key, "rollback");
    JsonNode schedule = session.ask(call.sending(Json.object().put("version", version)));
    session.print(
        schedule,
        output ->
            output.line(
                "%s: version %s, which is as version %s was"
                    .formatted(key, Json.text(schedule, "/version"), version)));
  }
}
