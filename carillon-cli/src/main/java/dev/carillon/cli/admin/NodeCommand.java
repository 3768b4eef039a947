package dev.carillon.cli.admin;

import dev.carillon.cli.console.Usage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code carillon node}. */
@Command(
    name = "node",
    aliases = "nodes",
    description = "See the processes that do the work.",
    footer = {"", "Example:", "  carillon node list"},
    subcommands = {NodeListCommand.class})
public final class NodeCommand implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // by picocli
  private CommandSpec spec;

  @Override
  public void run() {
    Usage.print(spec);
  }
}
