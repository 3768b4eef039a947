package dev.carillon.cli.admin;

import dev.carillon.cli.console.Group;
import dev.carillon.cli.console.Usage;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code carillon target}. */
@Command(
    name = "target",
    description = "Define what schedules can run.",
    footer = {
      "",
      "Examples:",
      "  carillon target put send-report --url https://reports.example/run",
      "  carillon target test send-report",
      "  carillon target list"
    })
public final class TargetCommand implements Group, Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // by picocli
  private CommandSpec spec;

  @Override
  public List<Class<?>> commands() {
    return List.of(
        TargetListCommand.class,
        TargetGetCommand.class,
        TargetPutCommand.class,
        TargetTestCommand.class,
        TargetDeleteCommand.class);
  }

  @Override
  public void run() {
    Usage.print(spec);
  }
}
