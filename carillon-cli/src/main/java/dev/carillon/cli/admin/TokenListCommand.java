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

/** The command {@code carillon token list}. */
@Command(
    name = "list",
    description = "List tokens; what they are is not kept, only what they may do.",
    footer = {"", "Example:", "  carillon token list"})
final class TokenListCommand implements Runnable {
  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Session session;

  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Paging paging;

  @Override
  public void run() {
    Listing found = paging.list(session, Call.get("tokens"));
    session.print(found.items(), output -> list(found.items(), output));
  }

  private static void list(JsonNode tokens, Output output) {
    var table =
        new Table(
            Column.word("ID"),
            Column.text("NAME"),
            Column.word("ROLES"),
            Column.word("CREATED"),
            Column.word("EXPIRES"),
            Column.word("LAST USED"),
            Column.word("REVOKED"));
    for (JsonNode token : tokens) {
      table.add(
          Cell.of(Json.text(token, "/id")),
          Cell.of(Json.text(token, "/name")),
          Cell.of(roles(token)),
          Cell.of(output.when(token, "/createdAt")),
          Cell.of(output.when(token, "/expiresAt")),
          Cell.of(output.when(token, "/lastUsedAt")),
          Cell.of(output.when(token, "/revokedAt")));
    }
    output.table(table);
  }

  /** Return the roles of a token or of a caller, however many it has. */
  static String roles(JsonNode holder) {
    JsonNode roles = holder.path("roles");
    if (!roles.isArray()) {
      return Json.text(holder, "/role");
    }
    var words = new StringBuilder();
    roles.forEach(role -> words.append(words.isEmpty() ? "" : ",").append(role.asText()));
    return words.toString();
  }
}
