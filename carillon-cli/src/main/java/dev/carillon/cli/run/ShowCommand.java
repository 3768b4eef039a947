package dev.carillon.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Session;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command {@code carillon run show}. */
@Command(
    name = "show",
    description = "Show a run and its attempts.",
    footer = {"", "Example:", "  carillon run show 01981b2c-5a00-7000-8000-000000000001"})
final class ShowCommand implements Runnable {
  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Session session;

  @Parameters(paramLabel = "ID", description = "Id of the run; 'carillon run list' shows it.")
  private String id = "";

  @Override
  public void run() {
    JsonNode run = session.ask(Call.get("runs", id));
    session.print(run, output -> RunText.show(run, output));
  }
}
