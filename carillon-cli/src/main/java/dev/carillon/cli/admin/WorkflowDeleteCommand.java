package dev.carillon.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Session;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code carillon workflow delete}. */
@Command(
    name = "delete",
    description = "Delete a workflow and retire the schedules of its triggers.",
    footer = {
      "",
      "Examples:",
      "  carillon workflow delete onboarding",
      "  carillon workflow delete onboarding --version 3"
    })
final class WorkflowDeleteCommand implements Runnable {
  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Session session;

  @Parameters(paramLabel = "ID", description = "Which one; 'carillon workflow list' shows them.")
  private String name = "";

  @Option(
      names = "--version",
      paramLabel = "N",
      description = "Only this version; the one below it is in force again.")
  private @Nullable Integer version;

  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask.")
  private boolean yes;

  @Override
  public void run() {
    String what = "workflow " + name + (version == null ? "" : " version " + version);
    if (!yes) {
      session.confirm("Delete " + what);
    }
    JsonNode answer =
        session.ask(
            version == null
                ? Call.delete("workflows", name)
                : Call.delete("workflows", name, "versions", version.toString()));
    session.print(
        answer,
        output -> {
          output.line(what + " is deleted");
          WorkflowSchedules.print(answer, output);
        });
  }
}
