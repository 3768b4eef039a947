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

/** The command {@code carillon node list}. */
@Command(
    name = "list",
    description = "List the processes of the cluster: where they are, and whether they live.",
    footer = {"", "Example:", "  carillon node list"})
final class NodeListCommand implements Runnable {
  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Session session;

  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Paging paging;

  @Override
  public void run() {
    Listing found = paging.list(session, Call.get("nodes"));
    session.print(found.items(), output -> list(found.items(), output));
  }

  private static void list(JsonNode items, Output output) {
    var table =
        new Table(
            Column.word("ID"),
            Column.text("NAME"),
            Column.word("STATE"),
            Column.word("STARTED"),
            Column.word("SEEN"),
            Column.word("LEASE UNTIL"),
            Column.text("VERSION"));
    for (JsonNode each : items) {
      table.add(
          Cell.word(Json.text(each, "/id")),
          Cell.of(Json.text(each, "/name")),
          Cell.word(Json.text(each, "/state")),
          Cell.of(output.when(each, "/startedAt")),
          Cell.of(output.when(each, "/seenAt")),
          Cell.of(output.when(each, "/leaseUntil")),
          Cell.of(Json.text(each, "/version")));
    }
    output.table(table);
  }
}
