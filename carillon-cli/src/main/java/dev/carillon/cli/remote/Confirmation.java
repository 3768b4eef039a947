package dev.carillon.cli.remote;

import picocli.CommandLine.Option;

/** Whether to ask before something is changed. */
public final class Confirmation {
  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask.")
  private boolean yes;

  /** Ask on a terminal, unless {@code --yes} was given; only a yes lets the command go on. */
  public void ask(Session session, String question) {
    if (!yes) {
      session.confirm(question);
    }
  }
}
