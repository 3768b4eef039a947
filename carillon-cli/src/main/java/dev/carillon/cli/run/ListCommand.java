package dev.carillon.cli.run;

import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Given;
import dev.carillon.cli.remote.Paging;
import dev.carillon.cli.remote.Session;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code carillon run list}. */
@Command(
    name = "list",
    description = {
      "List what is due, running or over, the newest first.",
      "What is planned for later is listed with --planned, --state, --to, or a --from to come."
    },
    footer = {
      "",
      "Examples:",
      "  carillon run list --schedule nightly --state failed",
      "  carillon run list --schedule nightly --planned",
      "  carillon run list --from 2027-03-01 --to 2027-03-01 --all -o json"
    })
final class ListCommand implements Runnable {
  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Session session;

  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private RunFilter filter;

  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Paging paging;

  @Option(
      names = "--state",
      paramLabel = "STATE",
      order = 79,
      description = "Only those that are pending, running, succeeded, failed, canceled or skipped.")
  private @Nullable String state;

  @Option(names = "--planned", order = 87, description = "Also those planned for later.")
  private boolean planned;

  @Override
  public void run() {
    Call all =
        Call.get("runs")
            .with("state", Given.filled("--state", state))
            .with("planned", planned ? "true" : null);
    paging.print(session, filter.criteria(session).on(all), RunText.SHEET);
  }
}
