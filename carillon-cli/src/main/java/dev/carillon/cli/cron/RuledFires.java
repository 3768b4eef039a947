package dev.carillon.cli.cron;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.console.TerminalText;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Session;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** The next fires of a timing that follows a calendar or keeps quiet hours of the server. */
final class RuledFires {
  private final JsonNode answer;

  private RuledFires(JsonNode answer) {
    this.answer = answer;
  }

  static RuledFires ask(Session session, ObjectNode question) {
    return new RuledFires(session.ask(Call.post("timings", "explain").sending(question)));
  }

  JsonNode json() {
    return answer;
  }

  void print(PrintWriter out) {
    out.println(TerminalText.line(Json.text(answer, "/description")));
    out.println();
    for (JsonNode fire : answer.path("fires")) {
      out.println("  " + TerminalText.line(line(fire)));
      because(fire).forEach(line -> out.println("    " + TerminalText.line(line)));
    }
    for (JsonNode warning : answer.path("warnings")) {
      out.println();
      out.println(
          "warning %s: %s"
              .formatted(
                  TerminalText.line(Json.text(warning, "/code")),
                  TerminalText.line(Json.text(warning, "/message"))));
    }
  }

  private static String line(JsonNode fire) {
    String slot = Json.text(fire, "/slot");
    String due = Json.text(fire, "/dueAt");
    return due.isEmpty()
        ? "slot %s  no run".formatted(slot)
        : due.equals(slot) ? "slot %s".formatted(slot) : "slot %s  due %s".formatted(slot, due);
  }

  private static List<String> because(JsonNode fire) {
    var lines = new ArrayList<String>();
    for (JsonNode move : fire.path("moves")) {
      lines.add(
          "%s: %s it to %s"
              .formatted(Json.text(move, "/because"), mover(move), Json.text(move, "/to")));
    }
    String obstacle = Json.text(fire, "/obstacle");
    if (!obstacle.isEmpty()) {
      lines.add(obstacle);
    }
    return lines;
  }

  private static String mover(JsonNode move) {
    return Json.text(move, "/policy").equals("calendar")
        ? "calendar '%s' moves".formatted(Json.text(move, "/by"))
        : "quiet hours '%s' move".formatted(Json.text(move, "/by"));
  }
}
