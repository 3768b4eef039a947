package dev.carillon.cli.admin;

import dev.carillon.cli.console.Sheet;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Paging;
import dev.carillon.cli.remote.Session;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code carillon workflow list}. */
@Command(
    name = "list",
    description = "List workflows.",
    footer = {"", "Example:", "  carillon workflow list"})
final class WorkflowListCommand implements Runnable {
  private static final Sheet SHEET =
      new Sheet()
          .text("ID", "/id")
          .number("VERSION", "/version")
          .when("DEPLOYED", "/deployedAt")
          .text("BY", "/deployedBy");

  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Session session;

  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Paging paging;

  @Override
  public void run() {
    paging.print(session, Call.get("workflows"), SHEET);
  }
}
