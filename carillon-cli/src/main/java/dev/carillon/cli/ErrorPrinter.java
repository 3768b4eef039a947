package dev.carillon.cli;

import dev.carillon.cli.console.CommandFailure;
import dev.carillon.cli.console.Palette;
import dev.carillon.cli.console.Palette.Style;
import dev.carillon.cli.console.TerminalText;
import dev.carillon.cli.remote.RefusedException;
import dev.carillon.json.PrintableText;
import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** How this program says that something went wrong: one line on stderr, and an exit code. */
final class ErrorPrinter {
  private ErrorPrinter() {}

  /** Say what is wrong with the arguments, and the nearest that would be right. */
  static int aboutUsage(ParameterException mistake) {
    CommandLine command = mistake.getCommandLine();
    print(
        command,
        "%s See '%s --help'."
            .formatted(problem(mistake), command.getCommandSpec().qualifiedName()));
    return ExitCode.USAGE;
  }

  static int about(Exception failure, CommandLine command) {
    if (failure instanceof CommandFailure known) {
      print(command, String.valueOf(known.getMessage()));
      return known.exitCode();
    }
    if (failure instanceof RefusedException refused) {
      print(command, OptionNames.of(command).text(refused));
      return refused.exitCode();
    }
    unexpected("unexpected failure, please report it: " + failure, failure, command);
    return ExitCode.SOFTWARE;
  }

  /** Say that {@code thread} ended by a failure. */
  static void aboutThread(Thread thread, Throwable failure, CommandLine command) {
    unexpected("thread %s ended: %s".formatted(thread.getName(), failure), failure, command);
  }

  private static void unexpected(String line, Throwable failure, CommandLine command) {
    print(command, line);
    var trace = new StringWriter();
    failure.printStackTrace(new PrintWriter(trace, true));
    command.getErr().println(PrintableText.indented(trace.toString()).replace("\t", "    "));
  }

  private static void print(CommandLine command, String line) {
    var palette = new Palette(command.getColorScheme().ansi().enabled());
    command.getErr().println(palette.paint(Style.BAD, "carillon: " + oneMessage(line)));
  }

  /* Only lines of our own follow the first, and they begin with blanks. */
  private static String oneMessage(String line) {
    return line.lines()
        .map(TerminalText::line)
        .reduce((before, next) -> before + "\n" + (next.startsWith("  ") ? "" : "  ") + next)
        .orElse("");
  }

  private static String problem(ParameterException mistake) {
    if (mistake instanceof UnmatchedArgumentException unmatched) {
      String word = unmatched.getUnmatched().get(0).replaceFirst("=.*", "");
      CommandSpec command = mistake.getCommandLine().getCommandSpec();
      boolean option = word.startsWith("-");
      return "unknown %s '%s'%s"
          .formatted(
              option ? "option" : command.subcommands().isEmpty() ? "argument" : "command",
              TerminalText.line(word),
              Nearest.hint(
                      word, option ? command.optionsMap().keySet() : command.subcommands().keySet())
                  .orElse("."));
    }
    return String.valueOf(mistake.getMessage()).lines().findFirst().orElse("wrong usage") + ".";
  }
}
