package dev.carillon.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.console.Sheet;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Session;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code carillon workflow get}. */
@Command(
    name = "get",
    description = "Show the versions of a workflow, or the graph of one of them.",
    footer = {
      "",
      "Examples:",
      "  carillon workflow get onboarding",
      "  carillon workflow get onboarding --version 3 > onboarding.json"
    })
final class WorkflowGetCommand implements Runnable {
  private static final Sheet SHEET =
      new Sheet()
          .number("VERSION", "/version")
          .when("DEPLOYED", "/deployedAt")
          .text("BY", "/deployedBy")
          .when("REMOVED", "/removedAt")
          .text("BY", "/removedBy");

  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Session session;

  @Parameters(paramLabel = "ID", description = "Which one; 'carillon workflow list' shows them.")
  private String id = "";

  @Option(
      names = "--version",
      paramLabel = "N",
      description = "Print the graph of this version, as it can be deployed.")
  private @Nullable Integer version;

  @Override
  public void run() {
    if (version == null) {
      JsonNode workflow = session.ask(Call.get("workflows", id));
      session.print(workflow, output -> SHEET.print(workflow.path("versions"), output));
    } else {
      JsonNode dag =
          session.ask(Call.get("workflows", id, "versions", version.toString())).path("dag");
      session.print(dag, output -> output.line(Json.pretty(dag)));
    }
  }
}
