package dev.carillon.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.console.CountText;
import dev.carillon.cli.console.DateTimeReader.Edge;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.console.TerminalText;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Session;
import dev.carillon.cli.remote.ZoneOption;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code carillon schedule backfill}. */
@Command(
    name = "backfill",
    description = {
      "Make runs for past slots that have none, or whose run was skipped or canceled. They run one"
          + " after the other."
    },
    footer = {
      "",
      "Examples:",
      "  carillon schedule backfill nightly --from 2027-03-01 --to 2027-03-07 --dry-run",
      "  carillon schedule backfill nightly --from 2027-03-01 --to 2027-03-07 --spread 1h"
    })
@SuppressWarnings("NullAway.Init") // fields are set by picocli
final class BackfillCommand implements Runnable {
  @Mixin private Session session;

  @Mixin private ZoneOption zone;

  @Parameters(paramLabel = "KEY", description = "Key of the schedule.")
  private String key = "";

  @Option(
      names = "--from",
      paramLabel = "TIME",
      required = true,
      description = "First day or moment.")
  private String from = "";

  @Option(names = "--to", paramLabel = "TIME", required = true, description = "Last day or moment.")
  private String to = "";

  @Option(
      names = {"-n", "--limit"},
      paramLabel = "N",
      defaultValue = "100",
      description = "Make at most so many runs (default: ${DEFAULT-VALUE}).")
  private int limit = 100;

  @Option(
      names = "--overlap",
      paramLabel = "RULE",
      description =
          "Instead of queue: allow for side by side; also skip, queue_one and cancel_previous, as"
              + " if they were due now.")
  private @Nullable String overlap;

  @Option(
      names = "--spread",
      paramLabel = "DURATION",
      description = "Spread the runs over this time instead of starting all now; such as 1h.")
  private @Nullable String spread;

  @Option(names = "--dry-run", description = "Only show for which slots there would be runs.")
  private boolean dryRun;

  @Override
  public void run() {
    var optionValues = zone.optionValues(session);
    ObjectNode body =
        Json.object()
            .put("from", optionValues.moment("--from", from, Edge.FIRST))
            .put("to", optionValues.moment("--to", to, Edge.LAST))
            .put("limit", limit);
    Json.put(body, "overlap", overlap);
    Json.put(body, "spread", optionValues.duration("--spread", spread));
    if (dryRun) {
      body.put("dryRun", true);
    }
    JsonNode answer = session.ask(Call.post("schedules", key, "backfill").sending(body));
    session.print(
        answer,
        output -> {
          if (dryRun) {
            answer.path("slots").forEach(slot -> output.line(TerminalText.line(slot.asText())));
          }
          output.line(TerminalText.line(summary(answer)));
        });
  }

  private String summary(JsonNode answer) {
    long count = answer.path("count").asLong();
    long again = answer.path("again").asLong();
    String why = Json.text(answer, "/why");
    return "%s: %s %s%s%s"
        .formatted(
            key,
            dryRun ? "would make" : "made",
            CountText.of(count, "run", "runs"),
            again == 0 ? "" : ", " + again + " of them skipped or canceled before",
            why.isEmpty() ? "" : "; " + why);
  }
}
