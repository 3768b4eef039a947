package dev.carillon.cli.console;

import java.util.List;

/** A command that only has others below it; they are loaded when somebody names the group. */
public interface Group {
  /** Return the commands below it, in the order in which the help lists them. */
  List<Class<?>> commands();
}
