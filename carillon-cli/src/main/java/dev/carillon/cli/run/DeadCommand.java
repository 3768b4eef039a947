package dev.carillon.cli.run;

import dev.carillon.cli.console.Group;
import dev.carillon.cli.console.Usage;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code carillon dead}. */
@Command(
    name = "dead",
    description = "See runs that failed for good, run them again, or give them up.",
    footer = {
      "",
      "Examples:",
      "  carillon dead list --target send-report",
      "  carillon dead redrive --schedule nightly"
    })
public final class DeadCommand implements Group, Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // by picocli
  private CommandSpec spec;

  @Override
  public List<Class<?>> commands() {
    return List.of(DeadListCommand.class, RedriveCommand.class, DismissCommand.class);
  }

  @Override
  public void run() {
    Usage.print(spec);
  }
}
