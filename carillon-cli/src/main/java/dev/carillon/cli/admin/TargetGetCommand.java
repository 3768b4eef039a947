package dev.carillon.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.Card;
import dev.carillon.cli.console.HumanText;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.console.Output;
import dev.carillon.cli.console.Palette.Style;
import dev.carillon.cli.console.Plain;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Commands;
import dev.carillon.cli.remote.Session;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command {@code carillon target get}. */
@Command(
    name = "get",
    description = "Show a target, but for its secrets and the values of its headers.",
    footer = {"", "Example:", "  carillon target get send-report"})
final class TargetGetCommand implements Runnable {
  private static final Set<String> TOLD =
      Set.of("label", "type", "warnings", "updatedAt", "updatedBy", "secrets");

  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Session session;

  @Parameters(paramLabel = "LABEL", description = "Which one; 'carillon target list' shows them.")
  private String label = "";

  @Override
  public void run() {
    JsonNode target = session.ask(Call.get("targets", label));
    session.print(target, output -> show(target, output));
  }

  private static void show(JsonNode target, Output output) {
    output.line(
        "%s  %s"
            .formatted(
                output.paint(Style.STRONG, Plain.line(Json.text(target, "/label"))),
                Plain.line(Json.text(target, "/type"))));
    output.line("");
    var card = new Card();
    for (Map.Entry<String, JsonNode> field : target.properties()) {
      if (!TOLD.contains(field.getKey()) && !HumanText.isNothing(field.getValue())) {
        card.add(HumanText.label(field.getKey()), HumanText.value(field.getValue()));
      }
    }
    card.add("signed", signed(target.path("secrets")));
    Json.instant(target, "/updatedAt")
        .ifPresent(
            at ->
                card.add(
                    "changed",
                    output.ages().of(at) + " by " + Plain.line(Json.text(target, "/updatedBy"))));
    for (JsonNode warning : target.path("warnings")) {
      card.add("warning", Plain.line(Commands.instead(Json.text(warning, "/message"))));
    }
    card.print(output);
  }

  private static String signed(JsonNode secrets) {
    return switch (secrets.asInt(-1)) {
      case -1 -> "";
      case 0 -> "no";
      case 1 -> "yes";
      default -> "with %s secrets".formatted(secrets.asInt());
    };
  }
}
