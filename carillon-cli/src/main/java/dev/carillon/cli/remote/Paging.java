package dev.carillon.cli.remote;

import dev.carillon.cli.console.CommandFailure;
import dev.carillon.cli.console.Exit;
import dev.carillon.cli.console.TableLayout;
import picocli.CommandLine.Option;

/** How much of a list is wanted. */
public final class Paging {
  @Option(
      names = {"-n", "--limit"},
      paramLabel = "N",
      defaultValue = "50",
      order = 90,
      description = "Show at most so many (default: ${DEFAULT-VALUE}).")
  private int limit = 50;

  @Option(names = "--all", order = 91, description = "Show all, however many there are.")
  private boolean all;

  /** Print as many items of {@code call}'s list as are wanted, and say if there are more. */
  public void print(Session session, Call call, TableLayout tableLayout) {
    if (limit < 1) {
      throw new CommandFailure(Exit.USAGE, "--limit must be at least 1; was " + limit);
    }
    Listing listing = Listing.of(session.client(), call, all ? Integer.MAX_VALUE : limit);
    if (listing.more()) {
      session.note("there are more; --limit N or --all shows them");
    }
    session.print(listing.items(), output -> tableLayout.print(listing.items(), output));
  }
}
