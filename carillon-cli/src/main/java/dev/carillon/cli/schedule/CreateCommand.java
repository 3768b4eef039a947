package dev.carillon.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Session;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command {@code carillon schedule create}. */
@Command(
    name = "create",
    description = "Create a schedule; to change one, or to keep them in files, see apply.",
    footer = {
      "",
      "Examples:",
      "  carillon schedule create nightly --target log --cron \"0 2 * * *\" --zone Europe/Rome",
      "  carillon schedule create --target send-report --in PT15M --payload @report.json",
      "  carillon schedule create poll --target log --every PT30S --overlap skip --tag feeds"
    })
final class CreateCommand implements Runnable {
  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Session session;

  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private DefinitionOptions definition;

  @Parameters(
      paramLabel = "KEY",
      arity = "0..1",
      description = "What to call it; without, the server finds a key.")
  private @Nullable String key;

  @Override
  public void run() {
    ObjectNode wanted = definition.json(session);
    if (key != null) {
      wanted.put("key", key);
    }
    JsonNode schedule = session.ask(Call.post("schedules").sending(wanted));
    session.print(schedule, output -> ScheduleText.show(schedule, output));
  }
}
