package dev.carillon.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.console.CommandFailure;
import dev.carillon.cli.console.Exit;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.console.Output;
import dev.carillon.cli.console.TerminalText;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.RefusedException;
import dev.carillon.cli.remote.Session;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code carillon schedule edit}. */
@Command(
    name = "edit",
    description = {
      "Change some of a schedule, and leave the rest as it is.",
      "",
      "Shows what differs and when it fires next; the old definition stays as a version."
    },
    footer = {
      "",
      "Examples:",
      "  carillon schedule edit nightly --cron \"0 3 * * *\" --dry-run",
      "  carillon schedule edit nightly --timeout 10m --set retry.attempts=5 --set payload.to=ops",
      "  carillon schedule edit nightly --set description=null"
    })
@SuppressWarnings("NullAway.Init") // fields are set by picocli
final class EditCommand implements Runnable {
  @Mixin private Session session;

  @Mixin private DefinitionOptions definition;

  @Parameters(paramLabel = "KEY", description = "Key of the schedule.")
  private String key = "";

  @Option(names = "--dry-run", description = "Only show what would change.")
  private boolean dryRun;

  @Override
  public void run() {
    ObjectNode patch = definition.patch(session);
    try {
      edit(patch);
    } catch (RefusedException e) {
      if (!e.code().equals("schedule-retired")) {
        throw e;
      }
      throw new CommandFailure(
          Exit.CONFLICT,
          "schedule '%s' is retired; 'schedule create %s --revive' or 'schedule apply' define it anew"
              .formatted(key, key));
    }
  }

  private void edit(ObjectNode patch) {
    // Both are of the same version, or the second is refused: what was shown is what is done.
    String version = Json.text(session.ask(Call.get("schedules", key)), "/version");
    Call call =
        Call.patch("schedules", key).saying("If-Match", "\"" + version + "\"").sending(patch);
    JsonNode tried = session.ask(call.with("dryRun", true));
    if (dryRun) {
      session.print(tried, output -> show(DryRunPreview.read(tried, Optional.empty()), output));
      return;
    }
    JsonNode schedule = session.ask(call);
    session.print(
        schedule,
        output -> {
          show(DryRunPreview.read(tried, Optional.empty()), output);
          output.line("version " + Json.text(schedule, "/version"));
          output.line("next  " + ScheduleText.moments(ScheduleText.dues(schedule), output));
        });
  }

  private void show(DryRunPreview preview, Output output) {
    output.line(TerminalText.line(key) + (preview.fields().isEmpty() ? ": unchanged" : ""));
    preview.print(output, "  ");
  }
}
