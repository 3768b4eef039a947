package dev.carillon.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Session;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command {@code carillon run retry}. */
@Command(
    name = "retry",
    description = "Run again what has failed or was canceled.",
    footer = {"", "Example:", "  carillon run retry 01981b2c-5a00-7000-8000-000000000001"})
final class RetryCommand implements Runnable {
  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Session session;

  @Parameters(paramLabel = "ID", description = "Id of the run; 'carillon run list' shows it.")
  private String id = "";

  @Override
  public void run() {
    JsonNode run = session.ask(Call.post("runs", id, "retry"));
    session.print(
        run,
        output ->
            output.line(
                "run %s is %s"
                    .formatted(Json.text(run, "/id"), output.word(Json.text(run, "/state")))));
  }
}
