package dev.carillon.cli.run;

import dev.carillon.cli.console.Group;
import dev.carillon.cli.console.Usage;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code carillon run}. */
@Command(
    name = "run",
    description = "See runs, watch them, cancel them and run them again.",
    footer = {
      "",
      "Examples:",
      "  carillon run list --schedule nightly --state failed",
      "  carillon run watch --schedule nightly",
      "  carillon run show 01981b2c-5a00-7000-8000-000000000001"
    })
public final class RunsCommand implements Group, Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // by picocli
  private CommandSpec spec;

  @Override
  public List<Class<?>> commands() {
    return List.of(
        ListCommand.class,
        ShowCommand.class,
        StartCommand.class,
        CancelCommand.class,
        RetryCommand.class,
        WatchCommand.class);
  }

  @Override
  public void run() {
    Usage.print(spec);
  }
}
