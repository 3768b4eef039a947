package dev.carillon.cli.schedule;

import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Session;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code carillon schedule resume}. */
@Command(
    name = "resume",
    description = "Let paused schedules fire again, and cancel pauses that have not begun.",
    footer = {"", "Example:", "  carillon schedule resume nightly"})
final class ResumeCommand implements Runnable {
  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Session session;

  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Which which;

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      defaultValue = "asked for on the command line",
      description = "With the options below: what the audit says (default: ${DEFAULT-VALUE}).")
  private String reason = "";

  @Override
  public void run() {
    which.each(session, "resume", reason, key -> Call.post("schedules", key, "resume"));
  }
}
