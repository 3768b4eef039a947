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

/** The command {@code carillon target list}. */
@Command(
    name = "list",
    description = "List what schedules can run.",
    footer = {"", "Example:", "  carillon target list"})
final class TargetListCommand implements Runnable {
  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Session session;

  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Paging paging;

  @Override
  public void run() {
    Listing found = paging.list(session, Call.get("targets"));
    session.print(found.items(), output -> list(found.items(), output));
  }

  private static void list(JsonNode targets, Output output) {
    var table =
        new Table(
            Column.text("LABEL"),
            Column.word("TYPE"),
            Column.text("URL"),
            Column.number("MAX CONCURRENT"),
            Column.word("CHANGED"));
    for (JsonNode target : targets) {
      table.add(
          Cell.of(Json.text(target, "/label")),
          Cell.of(Json.text(target, "/type")),
          Cell.of(Json.text(target, "/url")),
          Cell.of(Json.text(target, "/maxConcurrent")),
          Cell.of(output.when(target, "/updatedAt")));
    }
    output.table(table);
  }
}
