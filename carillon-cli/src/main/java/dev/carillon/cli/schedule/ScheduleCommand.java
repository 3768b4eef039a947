package dev.carillon.cli.schedule;

import dev.carillon.cli.console.Group;
import dev.carillon.cli.console.Usage;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code carillon schedule}. */
@Command(
    name = "schedule",
    description = "Define schedules, see when they fire, pause, run and undo.",
    footer = {
      "",
      "Examples:",
      "  carillon schedule create nightly --target log --cron \"0 2 * * *\" --zone Europe/Rome",
      "  carillon schedule apply -f schedules/ --dry-run",
      "  carillon schedule fires nightly",
      "  carillon schedule pause nightly --reason \"the report is being rebuilt\""
    })
public final class ScheduleCommand implements Group, Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // by picocli
  private CommandSpec spec;

  @Override
  public List<Class<?>> commands() {
    return List.of(
        CreateCommand.class,
        EditCommand.class,
        ApplyCommand.class,
        DiffCommand.class,
        GetCommand.class,
        ListCommand.class,
        FiresCommand.class,
        PauseCommand.class,
        ResumeCommand.class,
        RunCommand.class,
        BackfillCommand.class,
        VersionsCommand.class,
        RollbackCommand.class,
        DeleteCommand.class);
  }

  @Override
  public void run() {
    Usage.print(spec);
  }
}
