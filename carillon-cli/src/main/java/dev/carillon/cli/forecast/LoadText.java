package dev.carillon.cli.forecast;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.CountText;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.console.Output;
import dev.carillon.cli.console.Table;
import dev.carillon.cli.console.Table.Cell;
import dev.carillon.cli.console.Table.Column;
import dev.carillon.cli.console.TerminalText;
import java.util.StringJoiner;

/** Shows a forecast to people. */
final class LoadText {
  private LoadText() {}

  static void print(JsonNode forecast, Output output) {
    output.line(
        "%s of %s from %s to %s"
            .formatted(
                CountText.of(forecast.path("fires").asLong(), "fire", "fires"),
                CountText.of(forecast.at("/schedules/firing").asLong(), "schedule", "schedules"),
                Json.text(forecast, "/from"),
                Json.text(forecast, "/to")));
    if (!forecast.path("worst").isEmpty()) {
      output.line("");
      output.table(worst(forecast));
    }
    output.line("");
    output.line(TerminalText.line(Json.text(forecast, "/spreading/text")));
    gap(
        output,
        forecast,
        "onlyNextKnown",
        "only the next fire is counted, as the others wait for the end of a run");
    gap(
        output,
        forecast,
        "pausedWithoutEnd",
        "no fires, as they are paused until they are resumed");
    gap(output, forecast, "unreadable", "no fires, as the server cannot read their definition");
    gap(output, forecast, "withoutJitter", "counted without their jitter, as they fire very often");
    gap(
        output,
        forecast,
        "withoutRules",
        "counted without calendar and quiet hours, as they fire very often");
  }

  private static Table worst(JsonNode forecast) {
    var table =
        new Table(
            Column.word("MINUTE"),
            Column.number("FIRES"),
            Column.number("SCHEDULES"),
            Column.text("KEYS"));
    for (JsonNode minute : forecast.path("worst")) {
      table.add(
          Cell.of(Json.text(minute, "/minute")),
          Cell.of(Json.text(minute, "/fires")),
          Cell.of(Json.text(minute, "/schedules")),
          Cell.of(keys(minute)));
    }
    return table;
  }

  private static String keys(JsonNode minute) {
    var keys = new StringJoiner(", ");
    for (JsonNode key : minute.path("keys")) {
      keys.add(key.asText());
    }
    long others = minute.path("schedules").asLong() - minute.path("keys").size();
    return others > 0 ? keys + " and " + others + " more" : keys.toString();
  }

  private static void gap(Output output, JsonNode forecast, String field, String what) {
    long count = forecast.at("/schedules/" + field).asLong();
    if (count > 0) {
      output.line("%s: %s.".formatted(CountText.of(count, "schedule", "schedules"), what));
    }
  }
}
