package dev.carillon.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command {@code carillon help}: the same as {@code --help}, for those who type that. */
@Command(
    name = "help",
    description = "Show the help of a command, or this one.",
    synopsisHeading = "Usage: ",
    customSynopsis = "carillon help [COMMAND]",
    descriptionHeading = "%n",
    parameterListHeading = "%n",
    optionListHeading = "%nOptions:%n")
final class HelpCommand implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // by picocli
  private CommandSpec spec;

  @Parameters(
      paramLabel = "COMMAND",
      arity = "0..1",
      description = "Such as serve; none for all of them.")
  private @Nullable String command;

  @Override
  public void run() {
    CommandLine all = spec.parent().commandLine();
    CommandLine asked = command == null ? all : all.getSubcommands().get(command);
    if (asked == null) {
      throw new UnmatchedArgumentException(all, List.of(command));
    }
    asked.usage(all.getOut());
  }
}
