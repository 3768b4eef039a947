package dev.carillon.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Remembers what was seen of runs, and picks out what is news. */
final class Watch {
  private static final Set<String> OVER = Set.of("succeeded", "failed", "canceled", "skipped");
  private static final int REMEMBERED = 10_000;

  private final boolean pending;
  private final Map<String, String> seen = new LinkedHashMap<>();

  /** Watch; {@code pending} says whether a run that only waits for its time is news. */
  Watch(boolean pending) {
    this.pending = pending;
  }

  /** Return those of {@code runs}, given newest first, that changed since they were last seen. */
  List<JsonNode> news(Iterable<JsonNode> runs) {
    var news = new ArrayList<JsonNode>();
    for (JsonNode run : runs) {
      String state = Json.text(run, "/state") + " " + Json.text(run, "/attempt");
      boolean changed = !state.equals(seen.put(Json.text(run, "/id"), state));
      if (changed && (pending || !isPlanned(run))) {
        news.add(0, run);
      }
    }
    forget();
    return news;
  }

  private static boolean isPlanned(JsonNode run) {
    return Json.text(run, "/state").equals("pending") && run.path("attempt").asInt() == 0;
  }

  /** Return the ids of runs that were seen running, in case a list has left them behind. */
  List<String> running() {
    return seen.entrySet().stream()
        .filter(each -> each.getValue().startsWith("running "))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Say whether nothing more will become of {@code run}. */
  static boolean isOver(JsonNode run) {
    return OVER.contains(Json.text(run, "/state"));
  }

  private void forget() {
    var oldest = seen.entrySet().iterator();
    while (seen.size() > REMEMBERED && oldest.hasNext()) {
      if (!oldest.next().getValue().startsWith("running ")) {
        oldest.remove();
      }
    }
  }
}
