package dev.carillon.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.Moment;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.InZone;
import dev.carillon.cli.remote.Session;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code carillon schedule fires}. */
@Command(
    name = "fires",
    description = "Show the slots of a schedule: what happened at past ones, what will at others.",
    footer = {
      "",
      "Examples:",
      "  carillon schedule fires nightly",
      "  carillon schedule fires nightly --from 2027-03-01 --to 2027-03-31"
    })
final class FiresCommand implements Runnable {
  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Session session;

  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private InZone clock;

  @Parameters(paramLabel = "KEY", description = "Key of the schedule.")
  private String key = "";

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description = "First day or moment (default: now).")
  private @Nullable String from;

  @Option(names = "--to", paramLabel = "TIME", description = "Last day or moment.")
  private @Nullable String to;

  @Option(
      names = {"-n", "--limit"},
      paramLabel = "N",
      defaultValue = "20",
      description = "Show at most so many (default: ${DEFAULT-VALUE}).")
  private int limit = 20;

  @Override
  public void run() {
    var given = clock.given(session);
    Call call =
        Call.get("schedules", key, "fires")
            .with("from", given.moment("--from", from, Moment.Edge.FIRST))
            .with("to", given.moment("--to", to, Moment.Edge.LAST))
            .with("limit", limit);
    JsonNode answer = session.ask(call);
    JsonNode fires = answer.isArray() ? answer : answer.path("items");
    session.print(
        fires,
        output -> ScheduleText.fires(fires, output, session.surroundings().clock().instant()));
  }
}
