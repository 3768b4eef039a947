package dev.carillon.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.Sheet;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Paging;
import dev.carillon.cli.remote.Session;
import java.util.StringJoiner;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code carillon token list}. */
@Command(
    name = "list",
    description = "List tokens; what they are is not kept, only what they may do.",
    footer = {"", "Example:", "  carillon token list"})
final class TokenListCommand implements Runnable {
  private static final Sheet SHEET =
      new Sheet()
          .word("ID", "/id")
          .text("NAME", "/name")
          .word("ROLES", (token, output) -> roles(token))
          .when("CREATED", "/createdAt")
          .when("EXPIRES", "/expiresAt")
          .when("LAST USED", "/lastUsedAt")
          .when("REVOKED", "/revokedAt");

  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Session session;

  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Paging paging;

  @Override
  public void run() {
    paging.print(session, Call.get("tokens"), SHEET);
  }

  private static String roles(JsonNode token) {
    var words = new StringJoiner(",");
    token.path("roles").forEach(role -> words.add(role.asText()));
    return words.toString();
  }
}
