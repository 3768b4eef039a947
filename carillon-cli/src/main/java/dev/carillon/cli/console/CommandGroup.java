package dev.carillon.cli.console;

import java.util.List;
import picocli.CommandLine;

/**
 * A command that only has others below it; they are loaded only if the command line names the
 * group. Without one of them, it shows its help.
 */
public interface CommandGroup {
  /**
   * Return the commands below it, in the order in which the help lists them: the class of each, or
   * the name of a method of this group.
   */
  List<Object> commands();

  /** Put the commands of this group below {@code command}. */
  default void addTo(CommandLine command) {
    for (Object each : commands()) {
      command.addSubcommand(
          each instanceof String name
              ? CommandLine.getCommandMethods(getClass(), name).get(0)
              : each);
    }
  }
}
