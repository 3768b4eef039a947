package dev.carillon.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Session;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code carillon target delete}. */
@Command(
    name = "delete",
    description = "Delete a target that no schedule uses.",
    footer = {"", "Example:", "  carillon target delete send-report"})
final class TargetDeleteCommand implements Runnable {
  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Session session;

  @Parameters(paramLabel = "LABEL", description = "Which one; 'carillon target list' shows them.")
  private String name = "";

  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask.")
  private boolean yes;

  @Override
  public void run() {
    if (!yes) {
      session.confirm("Delete target " + name);
    }
    JsonNode answer = session.ask(Call.delete("targets", name));
    session.print(answer, output -> output.line("target " + name + " is deleted"));
  }
}
