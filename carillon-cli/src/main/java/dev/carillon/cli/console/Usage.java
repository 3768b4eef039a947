package dev.carillon.cli.console;

import picocli.CommandLine.Model.CommandSpec;

/** Shows how a group of commands is used, which is all that a group does by itself. */
public final class Usage {
  private Usage() {}

  /** Print the help of {@code spec}. */
  public static void print(CommandSpec spec) {
    spec.commandLine().usage(spec.commandLine().getOut());
  }
}
