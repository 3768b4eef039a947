package dev.carillon.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.console.CountText;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.console.Output;
import dev.carillon.cli.console.TerminalText;
import dev.carillon.cli.remote.BulkChange;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.FilterCriteria;
import dev.carillon.cli.remote.OptionValues;
import dev.carillon.cli.remote.Session;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Schedules to do something to: some by their keys, or all that a filter finds. */
final class ScheduleSelection {
  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private ScheduleFilterOptions filter;

  @Parameters(
      paramLabel = "KEY",
      arity = "0..*",
      description = "Keys of schedules; or none, and say which with the options below.")
  private List<String> keys = List.of();

  @Option(
      names = {"-y", "--yes"},
      order = 89,
      description = "Do not ask before doing it to all that the options find.")
  private boolean yes;

  @Option(names = "--all", order = 88, description = "All schedules, without any other option.")
  private boolean all;

  /**
   * Do {@code each} to the named schedules, or {@code action} to all that the filter finds.
   *
   * @param more what else is said of a change of all
   */
  void each(Session session, String action, ObjectNode more, Function<String, Call> each) {
    FilterCriteria wanted = filter.criteria(session);
    keys.forEach(key -> OptionValues.filled("KEY", key));
    wanted.requireOneSelection(keys, all, "schedules", "keys", "--tag");
    if (keys.isEmpty()) {
      bulk(session, wanted, action, more);
      return;
    }
    ArrayNode answers = Json.object().arrayNode();
    for (String key : keys) {
      answers.add(session.ask(each.apply(key)));
    }
    session.print(
        answers,
        output -> {
          for (int i = 0; i < keys.size(); i++) {
            output.line(
                TerminalText.line(keys.get(i)) + ": " + outcome(action, answers.get(i), output));
          }
        });
  }

  private void bulk(Session session, FilterCriteria wanted, String action, ObjectNode more) {
    ObjectNode body = Json.object().put("action", action);
    wanted.addTo(body, all);
    body.setAll(more);
    JsonNode answer =
        new BulkChange(session, Call.post("schedules", "bulk"), body)
            .perform(
                yes,
                count -> verb(action) + " " + CountText.of(count, "schedule", "schedules"),
                JsonNode::asText);
    String count = CountText.of(answer.path("schedules").asLong(), "schedule", "schedules");
    session.print(answer, output -> output.line(action + ": " + count));
  }

  private static String verb(String action) {
    return action.substring(0, 1).toUpperCase(Locale.ROOT) + action.substring(1);
  }

  private static String outcome(String action, JsonNode answer, Output output) {
    String run = Json.text(answer, "/id");
    return switch (action) {
      case "pause" ->
          Json.instant(answer, "/comingPause/from")
              .map(from -> "pauses from %s, %s".formatted(from, output.ages().of(from)))
              .or(
                  () ->
                      Json.instant(answer, "/pausedUntil")
                          .map(
                              until ->
                                  "paused until %s, %s".formatted(until, output.ages().of(until))))
              .orElse("paused");
      case "resume" -> "active again";
      case "delete" -> "retired";
      default -> "run " + run + " is " + Json.text(answer, "/state");
    };
  }
}
