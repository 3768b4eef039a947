package dev.carillon.cli.cron;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.console.Json;
import dev.carillon.time.Cron;
import dev.carillon.time.Fire;
import dev.carillon.time.Lint;
import dev.carillon.time.Timing;
import dev.carillon.time.Warning;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;

/**
 * What {@code carillon cron} has to say about a timing.
 *
 * @param expression as typed, with single blanks
 * @param resolved what macros and {@code H} in it stand for; the same if there are none
 * @param zone where it is read
 * @param description in words
 * @param stretch what was asked for
 * @param fires the fires in that stretch, as many as asked for
 * @param more how many further fires the stretch has; -1 if it has no end
 * @param warnings what is probably not meant
 */
record CronReport(
    String expression,
    String resolved,
    ZoneId zone,
    String description,
    Stretch stretch,
    List<Fire> fires,
    long more,
    List<Warning> warnings) {

  /**
   * Which fires to show.
   *
   * @param from where to begin, exclusive
   * @param until where to end, inclusive
   * @param limit how many at most
   * @param back whether to go back in time
   */
  record Stretch(Instant from, Instant until, int limit, boolean back) {
    boolean contains(Fire fire) {
      return back ? !fire.slot().isBefore(until) : !fire.slot().isAfter(until);
    }

    boolean open() {
      return until.equals(Instant.MIN) || until.equals(Instant.MAX);
    }
  }

  static CronReport of(String typed, Timing timing, String key, ZoneId zone, Stretch stretch) {
    List<Fire> fires =
        (stretch.back()
                ? Fire.previous(timing, zone, stretch.from(), stretch.limit())
                : Fire.next(timing, zone, stretch.from(), stretch.limit()))
            .stream().filter(stretch::contains).toList();
    String expression = timing instanceof Cron cron ? cron.expression() : typed.strip();
    String resolved = timing instanceof Cron cron ? cron.resolved() : expression;
    return new CronReport(
        expression,
        resolved,
        zone,
        timing.describe(),
        stretch,
        fires,
        more(timing, stretch, fires),
        warnings(timing, key, stretch));
  }

  private static List<Warning> warnings(Timing timing, String key, Stretch stretch) {
    var warnings = new ArrayList<>(Lint.of(timing, stretch.from()));
    boolean hashed =
        timing instanceof Cron cron
            && !cron.expression().startsWith("@")
            && !cron.resolved().equals(cron.expression());
    if (hashed && key.isEmpty()) {
      warnings.add(
          new Warning(
              "KEY_MISSING", "H depends on the key of the schedule, which --key would tell"));
    }
    return warnings;
  }

  private static long more(Timing timing, Stretch stretch, List<Fire> fires) {
    if (stretch.open() || fires.isEmpty()) {
      return stretch.open() ? -1 : 0;
    }
    Instant last = fires.get(fires.size() - 1).slot();
    return stretch.back()
        ? timing.count(stretch.until().minusNanos(1), last.minusNanos(1))
        : timing.count(last, stretch.until());
  }

  ObjectNode json() {
    ObjectNode json = Json.object().put("expression", expression);
    if (!resolved.equals(expression)) {
      json.put("resolved", resolved);
    }
    json.put("zone", zone.getId()).put("description", description);
    ArrayNode shown = json.putArray(stretch.back() ? "previous" : "next");
    for (Fire fire : fires) {
      ObjectNode each = shown.addObject().put("utc", fire.slot().toString());
      each.put("local", fire.local().format(DateTimeFormatter.ISO_OFFSET_DATE_TIME));
      fire.note().ifPresent(note -> each.put("note", note));
    }
    ArrayNode warned = json.putArray("warnings");
    for (Warning warning : warnings) {
      warned.addObject().put("code", warning.code()).put("message", warning.message());
    }
    return json;
  }
}
