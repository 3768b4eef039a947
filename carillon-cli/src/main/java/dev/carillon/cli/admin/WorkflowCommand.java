package dev.carillon.cli.admin;

import dev.carillon.cli.console.Group;
import dev.carillon.cli.console.Usage;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code carillon workflow}. */
@Command(
    name = "workflow",
    description = "Deploy workflows, whose triggers become schedules.",
    footer = {
      "",
      "Examples:",
      "  carillon workflow deploy onboarding -f onboarding.json --version 3",
      "  carillon workflow list"
    })
public final class WorkflowCommand implements Group, Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // by picocli
  private CommandSpec spec;

  @Override
  public List<Class<?>> commands() {
    return List.of(
        WorkflowDeployCommand.class,
        WorkflowListCommand.class,
        WorkflowGetCommand.class,
        WorkflowDeleteCommand.class);
  }

  @Override
  public void run() {
    Usage.print(spec);
  }
}
