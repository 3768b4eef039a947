package dev.carillon.cli.run;

import dev.carillon.cli.console.Usage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code carillon run}. */
@Command(
    name = "run",
    aliases = "runs",
    description = "See runs, watch them, cancel them and run them again.",
    footer = {
      "",
      "Examples:",
      "  carillon run list --schedule nightly --state failed",
      "  carillon run watch --schedule nightly",
      "  carillon run show 01981b2c-5a00-7000-8000-000000000001"
    },
    subcommands = {
      ListCommand.class,
      ShowCommand.class,
      StartCommand.class,
      CancelCommand.class,
      RetryCommand.class,
      WatchCommand.class
    })
public final class RunsCommand implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // by picocli
  private CommandSpec spec;

  @Override
  public void run() {
    Usage.print(spec);
  }
}
