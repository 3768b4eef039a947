package dev.carillon.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Session;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code carillon run cancel}. */
@Command(
    name = "cancel",
    description = "Cancel a run that is pending or running.",
    footer = {
      "",
      "Example:",
      "  carillon run cancel 01981b2c-5a00-7000-8000-000000000001 --reason \"wrong payload\""
    })
final class CancelCommand implements Runnable {
  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Session session;

  @Parameters(paramLabel = "ID", description = "Id of the run; 'carillon run list' shows it.")
  private String id = "";

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      required = true,
      description = "Shown to whoever wonders why it was canceled.")
  private String reason = "";

  @Override
  public void run() {
    Call call = Call.post("runs", id, "cancel");
    JsonNode run = session.ask(call.sending(Json.object().put("reason", reason)));
    session.print(
        run,
        output ->
            output.line(
                "run %s %s"
                    .formatted(
                        id,
                        Json.text(run, "/state").equals("canceled")
                            ? "is canceled"
                            : "was asked to stop")));
  }
}
