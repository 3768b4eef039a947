package dev.carillon.cli.calendar;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.console.TerminalText;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Session;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code carillon thaw}. */
@Command(
    name = "thaw",
    description = "End a freeze now: that of everything, or those of some tags.",
    footer = {"", "Examples:", "  carillon thaw", "  carillon thaw --tag billing"})
public final class ThawCommand implements Runnable {
  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Session session;

  @Option(
      names = "--tag",
      paramLabel = "TAG",
      description = "The freeze of schedules with this tag; can be repeated.")
  private List<String> tags = List.of();

  @Option(names = "--dry-run", description = "Only show what would change.")
  private boolean dryRun;

  @Override
  public void run() {
    ObjectNode body = Json.object();
    if (!tags.isEmpty()) {
      ArrayNode list = body.putArray("tags");
      tags.forEach(list::add);
    }
    JsonNode answer =
        session.ask(Call.post("thaw").sending(body).with("dryRun", dryRun ? "true" : null));
    session.print(
        answer,
        output -> {
          List<String> thawed = names(answer.path("thawed"));
          List<String> frozen = names(answer.path("stillFrozen"));
          output.line(
              thawed.isEmpty()
                  ? "nothing was frozen"
                  : (dryRun ? "would thaw " : "thawed ") + String.join(", ", thawed));
          if (!thawed.isEmpty()) {
            RuleChangeText.print(answer, output);
          }
          if (!frozen.isEmpty()) {
            output.line("still frozen: " + String.join(", ", frozen));
          }
        });
  }

  private static List<String> names(JsonNode all) {
    var names = new ArrayList<String>();
    all.forEach(
        one ->
            names.add(
                one.path("everything").asBoolean()
                    ? "everything"
                    : "tag " + TerminalText.line(one.path("tags").path(0).asText())));
    return names;
  }
}
