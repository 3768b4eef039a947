package dev.carillon.cli.schedule;

import dev.carillon.cli.console.Group;
import java.util.List;
import picocli.CommandLine.Command;

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
public final class ScheduleCommand implements Group {
  @Override
  public List<Object> commands() {
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
}
