package dev.carillon.cli.admin;

import dev.carillon.cli.console.Group;
import dev.carillon.cli.console.Usage;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code carillon token}. */
@Command(
    name = "token",
    description = "Give and take the right to use the server.",
    footer = {
      "",
      "Examples:",
      "  carillon token create ci --role editor --expires P90D",
      "  carillon token list"
    })
public final class TokenCommand implements Group, Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // by picocli
  private CommandSpec spec;

  @Override
  public List<Class<?>> commands() {
    return List.of(TokenListCommand.class, TokenCreateCommand.class, TokenRevokeCommand.class);
  }

  @Override
  public void run() {
    Usage.print(spec);
  }
}
