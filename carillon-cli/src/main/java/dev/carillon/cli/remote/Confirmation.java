package dev.carillon.cli.remote;

import picocli.CommandLine.Option;

/** Whether to ask before something is changed. */
public final class Confirmation {
  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask.")
  private boolean yes;

  /** Go on if {@code --yes} was said, or if nobody is there who says no. */
  public void ask(Session session, String question) {
    if (!yes) {
      session.confirm(question);
    }
  }
}
