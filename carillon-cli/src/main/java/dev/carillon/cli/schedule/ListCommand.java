package dev.carillon.cli.schedule;

import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Paging;
import dev.carillon.cli.remote.Session;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code carillon schedule list}. */
@Command(
    name = "list",
    description = "List schedules.",
    footer = {
      "",
      "Examples:",
      "  carillon schedule list --tag reports --status paused",
      "  carillon schedule list --payload '{\"instanceId\":\"order-17\"}' -o json"
    })
final class ListCommand implements Runnable {
  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Session session;

  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Filter filter;

  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Paging paging;

  @Override
  public void run() {
    Call call = filter.criteria(session).on(Call.get("schedules"));
    paging.print(session, call, ScheduleText.SHEET);
  }
}
