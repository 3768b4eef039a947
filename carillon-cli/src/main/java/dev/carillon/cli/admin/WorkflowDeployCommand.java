package dev.carillon.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.CommandFailure;
import dev.carillon.cli.console.Exit;
import dev.carillon.cli.file.Document;
import dev.carillon.cli.file.Documents;
import dev.carillon.cli.file.UnreadableException;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.RefusedException;
import dev.carillon.cli.remote.Session;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code carillon workflow deploy}. */
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
final class WorkflowDeployCommand implements Runnable {
  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Session session;

  @Parameters(paramLabel = "ID", description = "Id of the workflow.")
  private String id = "";

  @Option(
      names = "--version",
      paramLabel = "N",
      required = true,
      description = "Version of the workflow.")
  private int version;

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      required = true,
      description = "The workflow as JSON or YAML; - for stdin.")
  private String file = "";

  @Override
  public void run() {
    Document workflow = read();
    Call call = Call.put("workflows", id, "versions", String.valueOf(version));
    try {
      JsonNode answer = session.ask(call.sending(workflow.body()));
      session.noteWarnings(answer);
      session.print(
          answer,
          output -> {
            output.line("workflow %s version %s is deployed".formatted(id, version));
            WorkflowCommand.printSchedules(answer, output);
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

  private Document read() {
    try {
      List<Document> documents = new Documents(session.surroundings()).read(List.of(file));
      if (documents.size() != 1) {
        throw Session.wrong("%s must have one workflow; it has %d", file, documents.size());
      }
      return documents.get(0);
    } catch (UnreadableException e) {
      throw new CommandFailure(Exit.USAGE, e);
    }
  }
}
