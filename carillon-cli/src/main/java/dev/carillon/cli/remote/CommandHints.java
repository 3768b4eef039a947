package dev.carillon.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.console.TerminalText;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Replaces requests that a server recommends by the commands that make them. */
public final class CommandHints {
  private static final Pattern LISTING =
      Pattern.compile("GET (?:/api/v1)?/([a-z-]+)(?:/\\{(?:key|id)\\}(/versions)?)? lists them");
  private static final Map<String, String> LISTS =
      Map.of(
          "calendars", "calendar list",
          "schedules", "schedule list",
          "runs", "run list",
          "targets", "target list",
          "tokens", "token list",
          "nodes", "node list",
          "workflows", "workflow list",
          "pings", "ping list");

  private CommandHints() {}

  /** Return the text at {@code pointer} on one line, with commands that can be typed. */
  public static String line(JsonNode answer, String pointer) {
    return TerminalText.line(instead(Json.text(answer, pointer)));
  }

  /** Return {@code said} with commands that can be typed at a terminal. */
  public static String instead(String said) {
    Matcher listing = LISTING.matcher(said);
    String text =
        listing.replaceAll(
            found ->
                found.group(2) != null
                    ? "'carillon schedule versions KEY' lists them"
                    : "'carillon %s' lists them"
                        .formatted(LISTS.getOrDefault(found.group(1), found.group(1) + " list")));
    return text.replace(
            "GET /api/v1/calendars/{name}/versions lists them",
            "'carillon calendar show' tells the latest")
        .replaceAll(
            "PUT /api/v1/targets/(?:\\{label\\})? ?defines one",
            "'carillon target put' defines one")
        .replaceAll("PUT /api/v1/targets/([^ ;{}]+)", "'carillon target put $1'")
        .replace("POST /api/v1/runs", "'carillon run start'")
        .replace("; PUT changes it", "; 'carillon schedule edit' changes it")
        .replace(
            "PUT it to make it fire again",
            "'carillon schedule create KEY --revive' or 'schedule apply' make it fire again")
        .replaceAll(
            "is not as If-(?:None-)?Match(?: or If-None-Match)? says",
            "was changed by another client meanwhile");
  }
}
