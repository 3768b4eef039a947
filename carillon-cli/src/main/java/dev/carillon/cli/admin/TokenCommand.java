package dev.carillon.cli.admin;

import dev.carillon.cli.console.Usage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code carillon token}. */
@Command(
    name = "token",
    aliases = "tokens",
    description = "Give and take the right to use the server.",
    footer = {
      "",
      "Examples:",
      "  carillon token create ci --role editor --expires P90D",
      "  carillon token list"
    },
    subcommands = {TokenListCommand.class, TokenCreateCommand.class, TokenRevokeCommand.class})
public final class TokenCommand implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // by picocli
  private CommandSpec spec;

  @Override
  public void run() {
    Usage.print(spec);
  }
}
