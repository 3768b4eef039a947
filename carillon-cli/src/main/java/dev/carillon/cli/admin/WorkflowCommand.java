package dev.carillon.cli.admin;

import dev.carillon.cli.console.Usage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code carillon workflow}. */
@Command(
    name = "workflow",
    aliases = "workflows",
    description = "Deploy workflows, whose triggers become schedules.",
    footer = {
      "",
      "Examples:",
      "  carillon workflow deploy onboarding -f onboarding.json --version 3",
      "  carillon workflow list"
    },
    subcommands = {
      WorkflowDeployCommand.class,
      WorkflowListCommand.class,
      WorkflowDeleteCommand.class
    })
public final class WorkflowCommand implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // by picocli
  private CommandSpec spec;

  @Override
  public void run() {
    Usage.print(spec);
  }
}
