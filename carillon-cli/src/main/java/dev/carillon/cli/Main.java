package dev.carillon.cli;

import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_COMMAND_LIST;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_DESCRIPTION;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_DESCRIPTION_HEADING;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_FOOTER;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_OPTION_LIST;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_OPTION_LIST_HEADING;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_PARAMETER_LIST;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_PARAMETER_LIST_HEADING;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_SYNOPSIS;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_SYNOPSIS_HEADING;

import dev.carillon.cli.admin.NodeCommand;
import dev.carillon.cli.admin.SignInLinkCommand;
import dev.carillon.cli.admin.TargetCommand;
import dev.carillon.cli.admin.TokenCommand;
import dev.carillon.cli.admin.WorkflowCommand;
import dev.carillon.cli.bench.BenchCommand;
import dev.carillon.cli.calendar.CalendarCommand;
import dev.carillon.cli.calendar.FreezeCommand;
import dev.carillon.cli.calendar.QuietHoursCommand;
import dev.carillon.cli.calendar.ThawCommand;
import dev.carillon.cli.console.CommandGroup;
import dev.carillon.cli.console.Environment;
import dev.carillon.cli.console.TerminalWriter;
import dev.carillon.cli.cron.CronCommand;
import dev.carillon.cli.database.BackupCommand;
import dev.carillon.cli.database.MigrateCommand;
import dev.carillon.cli.database.RestoreCommand;
import dev.carillon.cli.database.SecretCommand;
import dev.carillon.cli.doctor.DoctorCommand;
import dev.carillon.cli.forecast.ForecastCommand;
import dev.carillon.cli.forecast.SimulateCommand;
import dev.carillon.cli.ping.PingCommand;
import dev.carillon.cli.run.DeadCommand;
import dev.carillon.cli.run.RunsCommand;
import dev.carillon.cli.schedule.ExplainCommand;
import dev.carillon.cli.schedule.ScheduleCommand;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.ScopeType;

/*
 * Asking for help takes a fraction of a second because hardly anything of the server is loaded for
 * it: a group loads its commands only if it is named, and commands load the server when they run.
 */
/** The command {@code carillon}. */
@Command(
    name = "carillon",
    synopsisHeading = "Usage: ",
    customSynopsis = "carillon COMMAND [OPTIONS]",
    description = {
      "",
      "Carillon is a durable scheduler: it rings every bell on time, exactly once,",
      "and can always say why one did not ring."
    },
    commandListHeading = "%nCommands:%n",
    optionListHeading = "%nOptions:%n",
    footer = {
      "",
      "Examples:",
      "  carillon serve",
      "      Try it: brings its own PostgreSQL and keeps the data in ./carillon-data.",
      "  carillon serve --port 9000 --database-url postgresql://carillon@db.example/carillon",
      "      Run it on a PostgreSQL of yours.",
      "  carillon schedule create hello --target log --every PT10S",
      "      Let something run, with the server on this machine; 'carillon run watch' shows it.",
      "  carillon schedule apply -f schedules/",
      "      Keep schedules in files.",
      "  carillon cron \"30 2 * * 1-5\" --zone Europe/Rome",
      "      See what a cron expression means and when it fires.",
      "  carillon bench --quick",
      "      Measure what it can do on this machine, or on a PostgreSQL of yours.",
      "",
      "Next: 'carillon help serve' lists the options of a command; the folder docs has the guide."
    },
    versionProvider = VersionText.class,
    subcommands = {
      ServeCommand.class,
      ScheduleCommand.class,
      ExplainCommand.class,
      RunsCommand.class,
      DeadCommand.class,
      PingCommand.class,
      TargetCommand.class,
      CalendarCommand.class,
      QuietHoursCommand.class,
      FreezeCommand.class,
      ThawCommand.class,
      TokenCommand.class,
      SignInLinkCommand.class,
      WorkflowCommand.class,
      NodeCommand.class,
      DoctorCommand.class,
      SecretCommand.class,
      MigrateCommand.class,
      BackupCommand.class,
      RestoreCommand.class,
      CronCommand.class,
      ForecastCommand.class,
      SimulateCommand.class,
      BenchCommand.class,
      ShellCompletionCommand.class,
      HelpCommand.class
    })
public final class Main {
  /* Commands before options: most users who ask for help look for a command. */
  private static final List<String> SECTIONS =
      List.of(
          SECTION_KEY_SYNOPSIS_HEADING,
          SECTION_KEY_SYNOPSIS,
          SECTION_KEY_DESCRIPTION_HEADING,
          SECTION_KEY_DESCRIPTION,
          SECTION_KEY_COMMAND_LIST_HEADING,
          SECTION_KEY_COMMAND_LIST,
          SECTION_KEY_PARAMETER_LIST_HEADING,
          SECTION_KEY_PARAMETER_LIST,
          SECTION_KEY_OPTION_LIST_HEADING,
          SECTION_KEY_OPTION_LIST,
          SECTION_KEY_FOOTER);

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      order = 120,
      description = "Show this help.")
  @SuppressWarnings("UnusedVariable") // read by picocli
  private boolean help;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      order = 121,
      description = "Show the versions of Carillon, PostgreSQL, Java and the time zone rules.")
  @SuppressWarnings("UnusedVariable") // read by picocli
  private boolean version;

  /** Run the command line and exit: 0 when all went well, 1 on failure, 2 on wrong usage. */
  public static void main(String[] arguments) {
    Environment environment =
        Environment.ofThisProcess()
            .passingOn(
                new FileOutputStream(FileDescriptor.out), new FileOutputStream(FileDescriptor.err));
    CommandLine commands = commandLine(environment, arguments);
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, failure) -> ErrorPrinter.aboutThread(thread, failure, commands));
    int code = execute(commands, arguments);
    if (code == 0 && System.out.checkError()) {
      code = CommandLine.ExitCode.SOFTWARE; // the output could not be written
    }
    if (code != 0) {
      System.exit(code);
    }
  }

  static int execute(CommandLine commands, String... arguments) {
    String[] words = words(arguments);
    return commands
        .setOut(TerminalWriter.around(commands.getOut()))
        .setErr(TerminalWriter.around(commands.getErr()))
        .execute(words);
  }

  /* A cron expression may begin with a dash by mistake; a blank before it, which means nothing in
   * an expression, keeps it from being taken for an option. What comes after -- is none anyway, and
   * may be the command of somebody else. */
  private static String[] words(String... arguments) {
    String[] words = arguments.clone();
    for (int i = 0; i < words.length && !words[i].equals("--"); i++) {
      if (words[i].matches("-[^-a-zA-Z].*")) {
        words[i] = " " + words[i];
      }
    }
    return words;
  }

  /** Make what understands {@code arguments}: of the groups, only the one that they name. */
  static CommandLine commandLine(Environment environment, String... arguments) {
    var commands = new CommandLine(new Main(), new CommandFactory(environment));
    String first = arguments.length > 0 ? arguments[0] : "";
    String named = first.equals("help") && arguments.length > 1 ? arguments[1] : first;
    commands
        .getSubcommands()
        .forEach(
            (name, command) -> {
              boolean meant = name.equals(named) || named.equals("completion");
              if (meant && command.getCommand() instanceof CommandGroup commandGroup) {
                commandGroup.addTo(command);
              }
            });
    commands.setHelpSectionKeys(SECTIONS);
    formatHelp(commands);
    return commands
        .setUsageHelpWidth(100)
        .setExpandAtFiles(false) // @FILE is a value here
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setAbbreviatedOptionsAllowed(false)
        .setExecutionStrategy(Main::run)
        .setParameterExceptionHandler((mistake, words) -> ErrorPrinter.aboutUsage(mistake))
        .setExecutionExceptionHandler(
            (failure, command, result) -> ErrorPrinter.about(failure, command));
  }

  /* A command that needs another one below it shows its help instead. */
  private static int run(ParseResult parsed) {
    CommandLine last = parsed.asCommandLineList().get(parsed.asCommandLineList().size() - 1);
    Optional<Integer> helped = help(parsed);
    if (helped.isPresent() || last.getSubcommands().isEmpty()) {
      return helped.isPresent() ? helped.get() : new RunLast().execute(parsed);
    }
    printUsage(last, last.getOut());
    return 0;
  }

  /* As picocli does it, with the styles of help, which has no text from elsewhere. */
  private static Optional<Integer> help(ParseResult parsed) {
    for (CommandLine command : parsed.asCommandLineList()) {
      if (command.isUsageHelpRequested()) {
        printUsage(command, command.getOut());
        return Optional.of(0);
      }
      if (command.isVersionHelpRequested()) {
        command.printVersionHelp(command.getOut());
        command.getOut().flush();
        return Optional.of(0);
      }
    }
    return Optional.empty();
  }

  /** Print the help of {@code command}. */
  static void printUsage(CommandLine command, PrintWriter out) {
    out.print(TerminalWriter.own(command.getUsageMessage(command.getColorScheme())));
    out.flush();
  }

  /* What the help of every command looks like, where it does not say so itself. */
  private static void formatHelp(CommandLine command) {
    var usage = command.getCommandSpec().usageMessage();
    usage.synopsisHeading("Usage: ").abbreviateSynopsis(true).sortOptions(false);
    if (command.getCommand() instanceof CommandGroup) {
      usage.customSynopsis(command.getCommandSpec().qualifiedName() + " COMMAND [OPTIONS]");
      usage.commandListHeading("%nCommands:%n");
    }
    if (command.getParent() != null) {
      usage.descriptionHeading("%n").parameterListHeading("%n");
    }
    if (usage.optionListHeading().isEmpty()) {
      usage.optionListHeading("%nOptions:%n");
    }
    command.getSubcommands().values().forEach(Main::formatHelp);
  }
}
