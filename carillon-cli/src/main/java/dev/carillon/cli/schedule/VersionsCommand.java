package dev.carillon.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.console.Output;
import dev.carillon.cli.console.Table;
import dev.carillon.cli.console.Table.Cell;
import dev.carillon.cli.console.Table.Column;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Session;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code carillon schedule versions}. */
@Command(
    name = "versions",
    description = "Show how the definition of a schedule has changed.",
    footer = {
      "",
      "Examples:",
      "  carillon schedule versions nightly",
      "  carillon schedule versions nightly 3",
      "  carillon schedule versions nightly 3 --to 5"
    })
final class VersionsCommand implements Runnable {
  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Session session;

  @Parameters(index = "0", paramLabel = "KEY", description = "Key of the schedule.")
  private String key = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "VERSION",
      description = "Show this version; without, all of them.")
  private @Nullable Integer version;

  @Option(
      names = "--to",
      paramLabel = "VERSION",
      description = "Show what is different in this version.")
  private @Nullable Integer to;

  @Override
  public void run() {
    if (version == null) {
      if (to != null) {
        throw Session.wrong("--to needs a version to compare with: versions %s 1 --to %d", key, to);
      }
      JsonNode answer = session.ask(Call.get("schedules", key, "versions"));
      JsonNode versions = answer.isArray() ? answer : answer.path("items");
      session.print(versions, output -> list(versions, output));
    } else if (to == null) {
      JsonNode found = session.ask(Call.get("schedules", key, "versions", version.toString()));
      session.print(found, output -> ScheduleText.show(found, output));
    } else {
      Call call = Call.get("schedules", key, "versions", version.toString(), "diff");
      JsonNode answer = session.ask(call.with("to", to));
      session.print(answer, output -> changes(answer, output));
    }
  }

  private static void list(JsonNode versions, Output output) {
    var table =
        new Table(
            Column.number("VERSION"),
            Column.word("CREATED"),
            Column.text("BY"),
            Column.text("TIMING"),
            Column.text("TARGET"),
            Column.word("RETIRED"));
    for (JsonNode version : versions) {
      table.add(
          Cell.of(Json.text(version, "/version")),
          Cell.of(output.when(version, "/createdAt")),
          Cell.of(Json.text(version, "/createdBy")),
          Cell.of(ScheduleText.timing(version.path("timing"))),
          Cell.of(Json.text(version, "/target")),
          Cell.of(output.when(version, "/retiredAt")));
    }
    output.table(table);
  }

  private static void changes(JsonNode answer, Output output) {
    JsonNode changes = answer.isArray() ? answer : answer.path("changes");
    var table = new Table(Column.text("FIELD"), Column.text("BEFORE"), Column.text("AFTER"));
    for (JsonNode change : changes) {
      String field = Json.text(change, "/field");
      table.add(
          Cell.of(field.isEmpty() ? Json.text(change, "/pointer") : field),
          Cell.of(either(change, "/from", "/before")),
          Cell.of(either(change, "/to", "/after")));
    }
    output.table(table);
  }

  private static String either(JsonNode value, String pointer, String other) {
    String text = Json.text(value, pointer);
    return text.isEmpty() ? Json.text(value, other) : text;
  }
}
