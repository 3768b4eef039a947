package dev.carillon.cli.schedule;

import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Session;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code carillon schedule delete}. */
@Command(
    name = "delete",
    description = "Retire schedules; their history stays.",
    footer = {
      "",
      "Examples:",
      "  carillon schedule delete nightly",
      "  carillon schedule delete --payload '{\"instanceId\":\"order-17\"}'"
    })
final class DeleteCommand implements Runnable {
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
    which.each(session, "delete", reason, key -> Call.delete("schedules", key));
  }
}
