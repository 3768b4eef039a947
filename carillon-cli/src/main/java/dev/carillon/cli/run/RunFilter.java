package dev.carillon.cli.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.console.Moment;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Given;
import dev.carillon.cli.remote.Session;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which runs are meant. */
final class RunFilter {
  @Option(
      names = "--schedule",
      paramLabel = "KEY",
      order = 80,
      description = "Only those of this schedule.")
  private @Nullable String schedule;

  @Option(
      names = "--target",
      paramLabel = "LABEL",
      order = 81,
      description = "Only those with this target.")
  private @Nullable String target;

  @Option(
      names = "--trigger",
      paramLabel = "TRIGGER",
      order = 82,
      description = "Only those that are scheduled, manual, ad_hoc or backfill.")
  private @Nullable String trigger;

  @Option(names = "--node", paramLabel = "ID", order = 83, description = "Only those on this node.")
  private @Nullable String node;

  @Option(
      names = "--from",
      paramLabel = "TIME",
      order = 84,
      description = "Only those due from this day or moment on, in UTC.")
  private @Nullable String from;

  @Option(
      names = "--to",
      paramLabel = "TIME",
      order = 85,
      description = "Only those due until this day or moment, in UTC.")
  private @Nullable String to;

  @Option(
      names = {"-q", "--query"},
      paramLabel = "TEXT",
      order = 86,
      description = "Only those with this text in them.")
  private @Nullable String text;

  boolean isEmpty(Session session) {
    return values(session).isEmpty();
  }

  Call on(Call call, Session session) {
    Call filtered = call;
    for (Map.Entry<String, String> each : values(session).entrySet()) {
      filtered = filtered.with(each.getKey(), each.getValue());
    }
    return filtered;
  }

  ObjectNode json(Session session) {
    ObjectNode filter = Json.object();
    values(session).forEach(filter::put);
    return filter;
  }

  private Map<String, String> values(Session session) {
    var given = new Given(session.surroundings());
    var values = new LinkedHashMap<String, String>();
    put(values, "schedule", schedule);
    put(values, "target", target);
    put(values, "trigger", trigger);
    put(values, "node", node);
    put(values, "from", given.moment("--from", from, Moment.Edge.FIRST));
    put(values, "to", given.moment("--to", to, Moment.Edge.AFTER));
    put(values, "q", text);
    return values;
  }

  private static void put(Map<String, String> values, String name, @Nullable String value) {
    if (value != null) {
      values.put(name, value);
    }
  }
}
