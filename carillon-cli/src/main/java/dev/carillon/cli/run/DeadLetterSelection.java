package dev.carillon.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.console.CountText;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.remote.BulkChange;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.FilterCriteria;
import dev.carillon.cli.remote.OptionValues;
import dev.carillon.cli.remote.Session;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Dead letters to do something to: some by their ids, or all that a filter finds. */
final class DeadLetterSelection {
  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private RunFilterOptions filter;

  @Parameters(
      paramLabel = "ID",
      arity = "0..*",
      description = "Ids of dead letters; or none, and say which with the options below.")
  private List<String> ids = List.of();

  @Option(names = "--all", order = 88, description = "All dead letters, without any other option.")
  private boolean all;

  @Option(
      names = {"-y", "--yes"},
      order = 89,
      description = "Do not ask before doing it to all that the options find.")
  private boolean yes;

  /** Send {@code body} for those that are meant, and return what the server did. */
  JsonNode change(Session session, String action, String verb, ObjectNode body) {
    FilterCriteria wanted = filter.criteria(session);
    ids.forEach(id -> OptionValues.filled("ID", id));
    wanted.requireOneSelection(ids, all, "dead letters", "ids", "--schedule");
    Call call = Call.post("dead-letters", action);
    if (!ids.isEmpty()) {
      ids.forEach(body.putArray("ids")::add);
      return session.ask(call.sending(body));
    }
    wanted.addTo(body, all);
    return new BulkChange(session, call, body)
        .perform(
            yes,
            count -> verb + " " + CountText.of(count, "dead letter", "dead letters"),
            DeadLetterSelection::name);
  }

  private static String name(JsonNode run) {
    String schedule = Json.text(run, "/schedule");
    return "%s  %s  %s"
        .formatted(
            Json.text(run, "/id"),
            schedule.isEmpty() ? Json.text(run, "/target") : schedule,
            Json.text(run, "/slot"));
  }
}
