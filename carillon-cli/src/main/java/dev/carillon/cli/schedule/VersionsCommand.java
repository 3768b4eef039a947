package dev.carillon.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.Output;
import dev.carillon.cli.console.Table;
import dev.carillon.cli.console.Table.Cell;
import dev.carillon.cli.console.Table.Column;
import dev.carillon.cli.console.TableLayout;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Paging;
import dev.carillon.cli.remote.Session;
import dev.carillon.cli.schedule.Change.Field;
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
@SuppressWarnings("NullAway.Init") // fields are set by picocli
final class VersionsCommand implements Runnable {
  private static final TableLayout VERSIONS =
      new TableLayout()
          .number("VERSION", "/version")
          .when("CREATED", "/createdAt")
          .text("BY", "/createdBy")
          .text("TIMING", version -> ScheduleText.timing(version.path("timing")))
          .text("TARGET", "/target")
          .when("RETIRED", "/retiredAt");

  @Mixin private Session session;

  @Mixin private Paging paging;

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
      paging.print(session, Call.get("schedules", key, "versions"), VERSIONS);
    } else if (to == null) {
      JsonNode found = session.ask(Call.get("schedules", key, "versions", version.toString()));
      session.print(found, output -> ScheduleText.show(found, output));
    } else {
      Call call = Call.get("schedules", key, "versions", version.toString(), "diff");
      JsonNode answer = session.ask(call.with("to", to));
      session.print(answer, output -> changes(answer, output));
    }
  }

  private static void changes(JsonNode answer, Output output) {
    var table = new Table(Column.text("FIELD"), Column.text("BEFORE"), Column.text("AFTER"));
    for (Field field : Difference.of(answer.path("changes"))) {
      table.add(
          Cell.of(field.name()),
          Cell.of(field.text(field.before())),
          Cell.of(field.text(field.after())));
    }
    output.table(table);
  }
}
