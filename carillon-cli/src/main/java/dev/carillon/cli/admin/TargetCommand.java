package dev.carillon.cli.admin;

import dev.carillon.cli.console.Usage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code carillon target}. */
@Command(
    name = "target",
    aliases = "targets",
    description = "Define what schedules can run.",
    footer = {
      "",
      "Examples:",
      "  carillon target put send-report --url https://reports.example/run",
      "  carillon target list"
    },
    subcommands = {TargetListCommand.class, TargetPutCommand.class, TargetDeleteCommand.class})
public final class TargetCommand implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // by picocli
  private CommandSpec spec;

  @Override
  public void run() {
    Usage.print(spec);
  }
}
