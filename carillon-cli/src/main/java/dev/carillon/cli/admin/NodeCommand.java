package dev.carillon.cli.admin;

import dev.carillon.cli.console.CommandGroup;
import dev.carillon.cli.console.TableLayout;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Paging;
import dev.carillon.cli.remote.Session;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The commands {@code carillon node …}. */
@Command(
    name = "node",
    description = "See the processes that do the work.",
    addMethodSubcommands = false,
    footer = {"", "Example:", "  carillon node list"})
public final class NodeCommand implements CommandGroup {
  private static final TableLayout NODES =
      new TableLayout()
          .word("ID", "/id")
          .text("NAME", "/name")
          .state("STATE", "/state")
          .when("STARTED", "/startedAt")
          .when("SEEN", "/seenAt")
          .when("LEASE UNTIL", "/leaseUntil")
          .text("VERSION", "/version")
          .number("RUNS AT A TIME", "/concurrency")
          .number("CLOCK AHEAD MS", "/clockAheadMs");

  @Override
  public List<Object> commands() {
    return List.of("list");
  }

  @Command(
      name = "list",
      description = "List the processes of the cluster: where they are, and whether they live.",
      footer = {"", "Example:", "  carillon node list"})
  void list(@Mixin Session session, @Mixin Paging paging) {
    paging.print(session, Call.get("nodes"), NODES);
  }
}
