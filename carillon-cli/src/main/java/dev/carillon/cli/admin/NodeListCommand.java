package dev.carillon.cli.admin;

import dev.carillon.cli.console.Sheet;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Paging;
import dev.carillon.cli.remote.Session;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code carillon node list}. */
@Command(
    name = "list",
    description = "List the processes of the cluster: where they are, and whether they live.",
    footer = {"", "Example:", "  carillon node list"})
final class NodeListCommand implements Runnable {
  private static final Sheet SHEET =
      new Sheet()
          .word("ID", "/id")
          .text("NAME", "/name")
          .state("STATE", "/state")
          .when("STARTED", "/startedAt")
          .when("SEEN", "/seenAt")
          .when("LEASE UNTIL", "/leaseUntil")
          .text("VERSION", "/version");

  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Session session;

  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Paging paging;

  @Override
  public void run() {
    paging.print(session, Call.get("nodes"), SHEET);
  }
}
