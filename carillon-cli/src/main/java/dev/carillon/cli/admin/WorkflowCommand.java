package dev.carillon.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.CommandFailure;
import dev.carillon.cli.console.CommandGroup;
import dev.carillon.cli.console.Exit;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.console.Output;
import dev.carillon.cli.console.TableLayout;
import dev.carillon.cli.console.TerminalText;
import dev.carillon.cli.file.Document;
import dev.carillon.cli.file.Documents;
import dev.carillon.cli.file.UnreadableException;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Confirmation;
import dev.carillon.cli.remote.Paging;
import dev.carillon.cli.remote.RefusedException;
import dev.carillon.cli.remote.Session;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands {@code carillon workflow …}. */
@Command(
    name = "workflow",
    description = "Deploy workflows, whose triggers become schedules.",
    addMethodSubcommands = false,
    footer = {
      "",
      "Examples:",
      "  carillon workflow deploy onboarding -f onboarding.json --version 3",
      "  carillon workflow list"
    })
public final class WorkflowCommand implements CommandGroup {
  private static final String WHICH = "Which one; 'carillon workflow list' shows them.";

  private static final TableLayout WORKFLOWS =
      new TableLayout()
          .text("ID", "/id")
          .number("VERSION", "/version")
          .when("DEPLOYED", "/deployedAt")
          .text("BY", "/deployedBy");
  private static final TableLayout VERSIONS =
      new TableLayout()
          .number("VERSION", "/version")
          .when("DEPLOYED", "/deployedAt")
          .text("BY", "/deployedBy")
          .when("REMOVED", "/removedAt")
          .text("BY", "/removedBy");

  @Override
  public List<Object> commands() {
    return List.of("deploy", "list", "get", "delete");
  }

  @Command(
      name = "deploy",
      description = "Deploy a workflow; each of its schedule_based triggers becomes a schedule.",
      footer = {
        "",
        "Example:",
        "  carillon workflow deploy onboarding --version 3 -f onboarding.json",
        "",
        "Deploying the same twice changes nothing; triggers that are gone retire their schedules. A",
        "mistake in the graph is told with its line, and nothing is changed (exit code 2)."
      })
  void deploy(
      @Mixin Session session,
      @Parameters(paramLabel = "ID", description = "Id of the workflow.") String id,
      @Option(
              names = "--version",
              paramLabel = "N",
              required = true,
              description = "Version of the workflow.")
          int version,
      @Option(
              names = {"-f", "--file"},
              paramLabel = "FILE",
              required = true,
              description = "The workflow as JSON or YAML; - for stdin.")
          String file) {
    Document workflow = read(session, file);
    Call call = Call.put("workflows", id, "versions", String.valueOf(version));
    try {
      JsonNode answer = session.ask(call.sending(workflow.body()));
      session.noteWarnings(answer);
      session.print(
          answer,
          output -> {
            output.line("workflow %s version %s is deployed".formatted(id, version));
            printSchedules(answer, output);
          });
    } catch (RefusedException e) {
      if (e.faults().isEmpty()) {
        throw e;
      }
      throw new CommandFailure(
          e.exitCode(),
          e.faults().stream()
              .map(fault -> workflow.place(fault.pointer()) + ": " + fault.message())
              .collect(Collectors.joining("\n  ", "nothing was changed\n  ", "")));
    }
  }

  private static Document read(Session session, String file) {
    try {
      List<Document> documents = new Documents(session.environment()).read(List.of(file));
      if (documents.size() != 1) {
        throw Session.wrong("%s must have one workflow; it has %d", file, documents.size());
      }
      return documents.get(0);
    } catch (UnreadableException e) {
      throw new CommandFailure(Exit.USAGE, e);
    }
  }

  @Command(
      name = "list",
      description = "List workflows.",
      footer = {"", "Example:", "  carillon workflow list"})
  void list(@Mixin Session session, @Mixin Paging paging) {
    paging.print(session, Call.get("workflows"), WORKFLOWS);
  }

  @Command(
      name = "get",
      description = "Show the versions of a workflow, or the graph of one of them.",
      footer = {
        "",
        "Examples:",
        "  carillon workflow get onboarding",
        "  carillon workflow get onboarding --version 3 > onboarding.json"
      })
  void get(
      @Mixin Session session,
      @Parameters(paramLabel = "ID", description = WHICH) String id,
      @Option(
              names = "--version",
              paramLabel = "N",
              description = "Print the graph of this version, as it can be deployed.")
          @Nullable Integer version) {
    if (version == null) {
      JsonNode workflow = session.ask(Call.get("workflows", id));
      session.print(workflow, output -> VERSIONS.print(workflow.path("versions"), output));
    } else {
      JsonNode dag =
          session.ask(Call.get("workflows", id, "versions", version.toString())).path("dag");
      session.print(dag, output -> Json.pretty(dag).lines().forEach(output::line));
    }
  }

  @Command(
      name = "delete",
      description = "Delete a workflow and retire the schedules of its triggers.",
      footer = {
        "",
        "Examples:",
        "  carillon workflow delete onboarding",
        "  carillon workflow delete onboarding --version 3"
      })
  void delete(
      @Mixin Session session,
      @Parameters(paramLabel = "ID", description = WHICH) String id,
      @Option(
              names = "--version",
              paramLabel = "N",
              description = "Only this version; the one below it is in force again.")
          @Nullable Integer version,
      @Mixin Confirmation confirmation) {
    String what = "workflow " + id + (version == null ? "" : " version " + version);
    confirmation.ask(session, "Delete " + what);
    JsonNode answer =
        session.ask(
            version == null
                ? Call.delete("workflows", id)
                : Call.delete("workflows", id, "versions", version.toString()));
    session.print(
        answer,
        output -> {
          output.line(what + " is deleted");
          printSchedules(answer, output);
        });
  }

  /* A line for each schedule in the answer. */
  private static void printSchedules(JsonNode answer, Output output) {
    for (JsonNode schedule : answer.path("schedules")) {
      String result = Json.text(schedule, "/result").replace("new_version", "changed");
      String key = TerminalText.line(Json.text(schedule, "/key"));
      output.line("  " + output.word(result, 9) + "  " + key);
    }
  }
}
