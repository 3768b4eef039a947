package dev.carillon.cli.admin;

import dev.carillon.cli.console.Group;
import dev.carillon.cli.console.Usage;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code carillon node}. */
@Command(
    name = "node",
    description = "See the processes that do the work.",
    footer = {"", "Example:", "  carillon node list"})
public final class NodeCommand implements Group, Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // by picocli
  private CommandSpec spec;

  @Override
  public List<Class<?>> commands() {
    return List.of(NodeListCommand.class);
  }

  @Override
  public void run() {
    Usage.print(spec);
  }
}
