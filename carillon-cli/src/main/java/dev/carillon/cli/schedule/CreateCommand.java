package dev.carillon.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.console.CommandFailure;
import dev.carillon.cli.console.Exit;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.RefusedException;
import dev.carillon.cli.remote.Session;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code carillon schedule create}. */
@Command(
    name = "create",
    description = "Create a schedule; edit changes one, apply keeps them in files.",
    footer = {
      "",
      "Examples:",
      "  carillon schedule create nightly --target log --cron \"0 2 * * *\" --zone Europe/Rome",
      "  carillon schedule create --target send-report --in 15m --payload @report.json",
      "  carillon schedule create poll --target log --every 30s --overlap skip --tag feeds"
    })
@SuppressWarnings("NullAway.Init") // fields are set by picocli
final class CreateCommand implements Runnable {
  @Mixin private Session session;

  @Mixin private DefinitionOptions definition;

  @Parameters(
      paramLabel = "KEY",
      arity = "0..1",
      description = "What to call it; without, the server finds a key.")
  private @Nullable String key;

  @Option(
      names = "--revive",
      description = "If KEY is that of a retired schedule: let it fire again, as defined here.")
  private boolean revive;

  @Override
  public void run() {
    ObjectNode wanted = definition.definition(session);
    if (key != null) {
      wanted.put("key", key);
    }
    JsonNode schedule = created(wanted);
    session.print(schedule, output -> ScheduleText.show(schedule, output));
  }

  private JsonNode created(ObjectNode wanted) {
    try {
      return session.ask(Call.post("schedules").sending(wanted));
    } catch (RefusedException e) {
      if (key == null || !e.code().equals("schedule-retired")) {
        throw e;
      }
      if (revive) {
        return session.ask(Call.put("schedules", key).sending(wanted));
      }
      throw new CommandFailure(
          Exit.CONFLICT,
          "schedule '%s' is retired and keeps its key; --revive lets it fire again, as defined here"
              .formatted(key));
    }
  }
}
