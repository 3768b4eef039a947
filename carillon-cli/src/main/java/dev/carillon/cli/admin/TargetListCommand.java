package dev.carillon.cli.admin;

import dev.carillon.cli.console.Sheet;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Paging;
import dev.carillon.cli.remote.Session;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code carillon target list}. */
@Command(
    name = "list",
    description = "List what schedules can run.",
    footer = {"", "Example:", "  carillon target list"})
final class TargetListCommand implements Runnable {
  private static final Sheet SHEET =
      new Sheet()
          .text("LABEL", "/label")
          .word("TYPE", "/type")
          .text("URL", "/url")
          .number("MAX CONCURRENT", "/maxConcurrent")
          .when("CHANGED", "/updatedAt");

  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Session session;

  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Paging paging;

  @Override
  public void run() {
    paging.print(session, Call.get("targets"), SHEET);
  }
}
