package dev.carillon.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Session;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code carillon token revoke}. */
@Command(
    name = "revoke",
    description = "Make a token useless, at once.",
    footer = {"", "Example:", "  carillon token revoke 01981b2c-5a00-7000-8000-000000000001"})
final class TokenRevokeCommand implements Runnable {
  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Session session;

  @Parameters(paramLabel = "ID", description = "Which one; 'carillon token list' shows them.")
  private String name = "";

  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask.")
  private boolean yes;

  @Override
  public void run() {
    if (!yes) {
      session.confirm("Revoke token " + name);
    }
    JsonNode answer = session.ask(Call.delete("tokens", name));
    session.print(answer, output -> output.line("token " + name + " is revoked"));
  }
}
