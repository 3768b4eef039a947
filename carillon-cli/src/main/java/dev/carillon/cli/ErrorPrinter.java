package dev.carillon.cli;

import dev.carillon.cli.console.CommandFailure;
import dev.carillon.cli.remote.RefusedException;
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
    print(command, "unexpected failure, please report it: " + failure);
    failure.printStackTrace(command.getErr());
    return ExitCode.SOFTWARE;
  }

  private static void print(CommandLine command, String line) {
    command.getErr().println(command.getColorScheme().errorText("carillon: " + line));
  }

  private static String problem(ParameterException mistake) {
    if (mistake instanceof UnmatchedArgumentException unmatched) {
      String word = unmatched.getUnmatched().get(0).replaceFirst("=.*", "");
      CommandSpec command = mistake.getCommandLine().getCommandSpec();
      boolean option = word.startsWith("-");
      return "unknown %s '%s'%s"
          .formatted(
              option ? "option" : command.subcommands().isEmpty() ? "argument" : "command",
              word,
              Nearest.hint(
                      word, option ? command.optionsMap().keySet() : command.subcommands().keySet())
                  .orElse("."));
    }
    return String.valueOf(mistake.getMessage()).lines().findFirst().orElse("wrong usage") + ".";
  }
}
