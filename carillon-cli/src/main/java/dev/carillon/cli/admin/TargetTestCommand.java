package dev.carillon.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.console.Card;
import dev.carillon.cli.console.Exit;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.console.Output;
import dev.carillon.cli.console.Plain;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Commands;
import dev.carillon.cli.remote.Given;
import dev.carillon.cli.remote.Session;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code carillon target test}. */
@Command(
    name = "test",
    description = {
      "Send a target one message that is no run, and show what came of it.",
      "",
      "The message is sent from the server and signed as runs are; its type is schedule.test."
    },
    footer = {
      "",
      "Examples:",
      "  carillon target test send-report",
      "  carillon target test send-report --payload '{\"to\":\"ops\"}'",
      "",
      "Exit codes: 0 a run would succeed or be accepted, or nothing can be sent to such a target;",
      "1 a run would fail."
    })
final class TargetTestCommand implements Callable<Integer> {
  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Session session;

  @Parameters(paramLabel = "LABEL", description = TargetCommand.WHICH)
  private String label = "";

  @Option(
      names = "--payload",
      paramLabel = "JSON",
      description = "What the message holds: JSON, @FILE, or - for stdin.")
  private @Nullable String payload;

  @Override
  public Integer call() {
    ObjectNode body = Json.object();
    new Given(session.surroundings()).addPayload(body, payload);
    JsonNode test = session.ask(Call.post("targets", label, "test").sending(body));
    session.print(test, output -> show(test, output));
    return Json.text(test, "/result").equals("failed") ? Exit.FAILED : 0;
  }

  private void show(JsonNode test, Output output) {
    String result = Json.text(test, "/result");
    output.line(
        "%s: %s, %s"
            .formatted(
                Plain.line(label),
                result.equals("not_tested") ? "not tested" : output.word(result),
                Plain.line(Commands.instead(Json.text(test, "/detail")))));
    var card = new Card().add("status", Json.text(test, "/status"));
    if (test.path("latencyMs").isNumber()) {
      card.add("took", test.path("latencyMs").asLong() + "ms");
    }
    String code = Json.text(test, "/failure/code");
    if (!code.isEmpty()) {
      card.add(
          "failure",
          Plain.line(code + ": " + Commands.instead(Json.text(test, "/failure/message"))));
      card.add("answer", Json.text(test, "/failure/details").lines().map(Plain::line).toList());
    }
    card.print(output);
  }
}
