package dev.carillon.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.console.Output;
import dev.carillon.cli.console.Table;
import dev.carillon.cli.console.Table.Cell;
import dev.carillon.cli.console.Table.Column;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Listing;
import dev.carillon.cli.remote.Paging;
import dev.carillon.cli.remote.Session;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code carillon workflow list}. */
@Command(
    name = "list",
    description = "List workflows.",
    footer = {"", "Example:", "  carillon workflow list"})
final class WorkflowListCommand implements Runnable {
  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Session session;

  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Paging paging;

  @Override
  public void run() {
    Listing found = paging.list(session, Call.get("workflows"));
    session.print(found.items(), output -> list(found.items(), output));
  }

  private static void list(JsonNode items, Output output) {
    var table =
        new Table(
            Column.text("ID"),
            Column.number("VERSION"),
            Column.word("DEPLOYED"),
            Column.text("BY"));
    for (JsonNode each : items) {
      table.add(
          Cell.of(Json.text(each, "/id")),
          Cell.of(Json.text(each, "/version")),
          Cell.of(output.when(each, "/deployedAt")),
          Cell.of(Json.text(each, "/deployedBy")));
    }
    output.table(table);
  }
}
