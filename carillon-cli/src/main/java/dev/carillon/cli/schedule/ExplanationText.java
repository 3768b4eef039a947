package dev.carillon.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.DetailView;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.console.Output;
import dev.carillon.cli.console.Palette.Style;
import dev.carillon.cli.console.TerminalText;
import java.util.ArrayList;

/** Shows explanations to people: the words first, then the data. */
final class ExplanationText {
  private ExplanationText() {}

  static void show(String key, JsonNode explanation, Output output) {
    output.line(
        "%s at %s  %s"
            .formatted(
                output.paint(Style.STRONG, TerminalText.line(key)),
                TerminalText.line(Json.text(explanation, "/at")),
                output.word(Json.text(explanation, "/outcome"))));
    output.line("");
    for (JsonNode step : explanation.path("steps")) {
      output.line("  " + TerminalText.line(Json.text(step, "/because")));
    }
    output.line("");
    new DetailView()
        .add("slot", text(explanation, "/slot"))
        .add("due at", text(explanation, "/dueAt"))
        .add("moved by", moves(explanation.path("moves")))
        .add("run", text(explanation, "/run/id"))
        .add("decision", decision(explanation.path("decision")))
        .add("due then", slots(explanation.path("dueThen")))
        .add("slot before", slot(explanation.path("previous")))
        .add("slot after", slot(explanation.path("next")))
        .print(output);
  }

  private static String text(JsonNode explanation, String pointer) {
    return TerminalText.line(Json.text(explanation, pointer));
  }

  private static String decision(JsonNode decision) {
    return decision.isObject()
        ? TerminalText.line(
            "%s, for %s slots from %s to %s"
                .formatted(
                    Json.text(decision, "/reason"),
                    Json.text(decision, "/slots"),
                    Json.text(decision, "/first"),
                    Json.text(decision, "/last")))
        : "";
  }

  private static String moves(JsonNode moves) {
    var texts = new ArrayList<String>();
    moves.forEach(
        move ->
            texts.add(
                "%s %s to %s"
                    .formatted(
                        Json.text(move, "/policy"),
                        Json.text(move, "/by"),
                        Json.text(move, "/to"))));
    return TerminalText.line(String.join(", ", texts));
  }

  private static String slots(JsonNode fires) {
    var texts = new ArrayList<String>();
    fires.forEach(fire -> texts.add(Json.text(fire, "/slot")));
    return TerminalText.line(String.join(", ", texts));
  }

  private static String slot(JsonNode slot) {
    return slot.isObject()
        ? TerminalText.line(Json.text(slot, "/slot") + "  " + Json.text(slot, "/decision"))
        : "";
  }
}
