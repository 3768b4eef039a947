package dev.carillon.cli;

import java.util.List;
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
    customSynopsis = "carillon help [COMMAND...]")
final class HelpCommand implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // by picocli
  private CommandSpec spec;

  @Parameters(
      paramLabel = "COMMAND",
      arity = "0..*",
      description = "Such as serve, or schedule apply; none for all of them.")
  private List<String> words = List.of();

  @Override
  public void run() {
    CommandLine asked = spec.parent().commandLine();
    for (String word : words) {
      CommandLine below = asked.getSubcommands().get(word);
      if (below == null) {
        throw new UnmatchedArgumentException(asked, List.of(word));
      }
      asked = below;
    }
    Main.printUsage(asked, spec.commandLine().getOut());
  }
}
