package dev.carillon.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.console.TerminalText;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A change of all that a filter finds. They are counted, shown and confirmed first, and the request
 * says how many are expected: if another number matches by then, the server changes nothing.
 *
 * @param session with the server
 * @param call where the server does it
 * @param body of the request, without how many
 */
public record BulkChange(Session session, Call call, ObjectNode body) {
  /** How many things of a change are shown. */
  public static final int MAX_SHOWN = 10;

  /**
   * Show what matches, ask unless {@code yes} was said, and do it; if nothing matches, nothing is
   * done.
   *
   * @param doing what will be done to how many, such as {@code Retire 3 schedules}
   * @param name how one of the first that match is called
   * @return what the server did, or found nothing to do
   */
  public JsonNode perform(
      boolean yes, Function<Long, String> doing, Function<JsonNode, String> name) {
    JsonNode found = session.ask(call.sending(body.deepCopy().put("dryRun", true)));
    long matched = found.path("matched").asLong();
    if (matched == 0) {
      return found;
    }
    var first = new ArrayList<String>();
    found.path("first").forEach(one -> first.add(name.apply(one)));
    session.confirmMany(yes, doing.apply(matched), first, matched);
    return session.ask(call.sending(body.deepCopy().put("expect", matched)));
  }

  /** Return what is shown of things of which these are the first. */
  static List<String> shown(List<String> first, long all) {
    var lines = new ArrayList<String>();
    first.stream().limit(MAX_SHOWN).map(TerminalText::line).forEach(lines::add);
    if (all > lines.size()) {
      lines.add("and " + (all - lines.size()) + " more");
    }
    return lines;
  }
}
