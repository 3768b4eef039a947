package dev.carillon.cli.run;

import dev.carillon.cli.console.Usage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code carillon dead}. */
@Command(
    name = "dead",
    aliases = "dead-letters",
    description = "See runs that failed for good, and run them again.",
    footer = {
      "",
      "Examples:",
      "  carillon dead list --target send-report",
      "  carillon dead redrive --schedule nightly"
    },
    subcommands = {DeadListCommand.class, RedriveCommand.class})
public final class DeadCommand implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // by picocli
  private CommandSpec spec;

  @Override
  public void run() {
    Usage.print(spec);
  }
}
