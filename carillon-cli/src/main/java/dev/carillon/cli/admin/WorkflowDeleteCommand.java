package dev.carillon.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Session;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code carillon workflow delete}. */
@Command(
    name = "delete",
    description = "Delete a workflow and retire the schedules of its triggers.",
    footer = {"", "Example:", "  carillon workflow delete onboarding"})
final class WorkflowDeleteCommand implements Runnable {
  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Session session;

  @Parameters(paramLabel = "ID", description = "Which one; 'carillon workflow list' shows them.")
  private String name = "";

  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask.")
  private boolean yes;

  @Override
  public void run() {
    if (!yes) {
      session.confirm("Delete workflow " + name);
    }
    JsonNode answer = session.ask(Call.delete("workflows", name));
    session.print(answer, output -> output.line("workflow " + name + " is deleted"));
  }
}
