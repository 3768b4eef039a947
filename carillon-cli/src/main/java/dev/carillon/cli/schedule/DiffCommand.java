package dev.carillon.cli.schedule;

import dev.carillon.cli.console.Exit;
import dev.carillon.cli.remote.Session;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code carillon schedule diff}. */
@Command(
    name = "diff",
    description = "Show how schedules in files differ from those on the server.",
    footer = {
      "",
      "Examples:",
      "  carillon schedule diff -f schedules/",
      "  carillon schedule diff -f schedules/ --prune reports --exit-code",
      "",
      "Exit codes: 0 shown, 2 a file or definition is wrong, 6 they differ (with --exit-code)."
    })
final class DiffCommand implements Callable<Integer> {
  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Session session;

  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private DefinitionFiles files;

  @Option(names = "--exit-code", description = "End with 6 if there is a difference.")
  private boolean exitCode;

  @Override
  public Integer call() {
    Plan plan = files.plan(session);
    session.print(plan.json(Set.of()), plan::print);
    return exitCode && !plan.work().isEmpty() ? Exit.CHANGES : 0;
  }
}
