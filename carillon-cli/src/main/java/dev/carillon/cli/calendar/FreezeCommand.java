package dev.carillon.cli.calendar;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.console.DateTimeReader.Edge;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.OptionValues;
import dev.carillon.cli.remote.Session;
import dev.carillon.cli.remote.ZoneOption;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code carillon freeze}. */
@Command(
    name = "freeze",
    description = {
      "Let nothing start until a moment, or nothing with some tags.",
      "",
      "Runs that are at work go on. The same again changes nothing; 'carillon thaw' ends it."
    },
    footer = {
      "",
      "Examples:",
      "  carillon freeze --until now+2h --reason \"database migration\"",
      "  carillon freeze --until \"2027-01-07 06:00\" --reason closing --tag billing"
    })
public final class FreezeCommand implements Runnable {
  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Session session;

  @Mixin private ZoneOption zone = new ZoneOption();

  @Option(
      names = "--until",
      paramLabel = "WHEN",
      required = true,
      description = "When it ends: a date or time, or now+2h.")
  private String until = "";

  @Option(names = "--from", paramLabel = "WHEN", description = "When it begins; now if not said.")
  private @Nullable String from;

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      required = true,
      description = "Why: it is shown wherever a run is missing.")
  private String reason = "";

  @Option(
      names = "--tag",
      paramLabel = "TAG",
      description = "Only schedules with this tag; can be repeated.")
  private List<String> tags = List.of();

  @Option(
      names = "--action",
      paramLabel = "ACTION",
      description =
          "What becomes of runs meanwhile: coalesce (one at the end) if not said, defer, or skip.")
  private @Nullable String action;

  @Option(names = "--dry-run", description = "Only show what would change.")
  private boolean dryRun;

  @Override
  public void run() {
    OptionValues values = zone.optionValues(session);
    ObjectNode body = Json.object();
    Json.put(body, "until", values.moment("--until", until, Edge.FIRST));
    Json.put(body, "from", values.moment("--from", from, Edge.FIRST));
    Json.put(body, "reason", reason);
    Json.put(body, "action", action);
    if (!tags.isEmpty()) {
      ArrayNode list = body.putArray("tags");
      tags.forEach(list::add);
    }
    JsonNode answer =
        session.ask(Call.post("freeze").sending(body).with("dryRun", dryRun ? "true" : null));
    session.print(
        answer,
        output -> {
          output.line(
              "%s frozen until %s%s".formatted(frozen(), end(body), dryRun ? "" : "; " + thaw()));
          RuleChangeText.print(answer, output);
        });
  }

  private String frozen() {
    String verb = dryRun ? "would be" : tags.isEmpty() ? "is" : "are";
    return tags.isEmpty()
        ? "everything " + verb
        : "schedules with tag %s %s".formatted(String.join(" or ", tags), verb);
  }

  private static String end(JsonNode body) {
    return Json.instant(body, "/until").orElseThrow().truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private String thaw() {
    return "'carillon thaw%s' ends it"
        .formatted(tags.isEmpty() ? "" : " --tag " + String.join(" --tag ", tags));
  }
}
