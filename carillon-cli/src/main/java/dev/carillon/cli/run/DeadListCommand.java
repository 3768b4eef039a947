package dev.carillon.cli.run;

import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Paging;
import dev.carillon.cli.remote.Session;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code carillon dead list}. */
@Command(
    name = "list",
    description = "List dead letters: runs that failed and are not tried again by themselves.",
    footer = {"", "Example:", "  carillon dead list --target send-report"})
final class DeadListCommand implements Runnable {
  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Session session;

  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private RunFilter filter;

  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Paging paging;

  @Override
  public void run() {
    Call call = filter.criteria(session).on(Call.get("dead-letters"));
    paging.print(session, call, RunText.SHEET);
  }
}
